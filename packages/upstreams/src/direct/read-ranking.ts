import type { RankedDocument, RerankParams } from '@sluice/canonical';

/**
 * Returns the results if there are enough of them and each refers to a different document of the request. Otherwise
 * returns undefined.
 */
export function readRanking(
  results: readonly RankedDocument[],
  { documents, topN = documents.length }: Pick<RerankParams, 'documents' | 'topN'>,
): readonly RankedDocument[] | undefined {
  const indices = new Set(results.map(({ index }) => index));
  const isOurs = [...indices].every((index) => index >= 0 && index < documents.length);
  const isComplete = indices.size === results.length && results.length >= Math.min(topN, documents.length);
  return isOurs && isComplete ? results : undefined;
}
