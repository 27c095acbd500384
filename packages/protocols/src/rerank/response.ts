import type { RankedDocument, Ranking, RerankDocument } from '@sluice/canonical';
import type { z } from 'zod';
import type { DirectResponseContext } from '../contracts/direct-protocol.ts';
import type { RankingSchema } from './schema.ts';

/**
 * Encodes results with the best first. The documents come from the request, because not every upstream returns them.
 */
export function encodeRanking(
  { results, searchUnits, inputTokens = 0 }: Ranking,
  { model, params, newId }: Pick<DirectResponseContext<'rerank'>, 'model' | 'params' | 'newId'>,
): z.output<typeof RankingSchema> {
  const best = results.toSorted(byScore).slice(0, params.topN);
  return {
    id: newId('rerank-'),
    model,
    results: best.map(({ index, score }) => {
      const result = { index, relevance_score: score };
      return params.returnDocuments ? Object.assign(result, { document: shown(params.documents[index]) }) : result;
    }),
    meta: {
      // Both versions of Cohere's clients can read this response.
      api_version: { version: '2' },
      billed_units: { ...(searchUnits !== undefined && { search_units: searchUnits }) },
      tokens: { input_tokens: inputTokens },
    },
    usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
  };
}

function byScore(left: RankedDocument, right: RankedDocument): number {
  return right.score - left.score || left.index - right.index;
}

function shown(document: RerankDocument | undefined): Record<string, unknown> {
  return typeof document === 'string' ? { text: document } : { ...document };
}
