import type { Embeddings, EmbeddingParams, Ranking, RerankParams } from '@sluice/canonical';
import { estimateTextTokens } from '../metering/estimate-tokens.ts';

/** Vectors whose cost is told by the upstream, or else estimated: clients want a number. */
export function countedEmbeddings(response: Embeddings, params: EmbeddingParams): Counted<Embeddings> {
  return { ...response, inputTokens: response.inputTokens ?? embeddingTokens(params) };
}

/** About how many tokens there are to be made vectors of. */
export function embeddingTokens({ inputs }: EmbeddingParams): number {
  return inputs.reduce((sum, input) => sum + inputTokens(input), 0);
}

/** A ranking whose cost is told by the upstream, or else estimated: the query is read once with each document. */
export function countedRanking(response: Ranking, params: RerankParams): Counted<Ranking> {
  return { ...response, inputTokens: response.inputTokens ?? rankingTokens(params) };
}

/** About how many tokens there are to be ranked. */
export function rankingTokens({ query, documents }: RerankParams): number {
  const asked = estimateTextTokens(query);
  return documents.reduce<number>((sum, document) => sum + asked + documentTokens(document), 0);
}

type Counted<T> = T & { inputTokens: number };

function inputTokens(input: EmbeddingParams['inputs'][number]): number {
  return typeof input === 'string' ? estimateTextTokens(input) : input.length;
}

function documentTokens(document: RerankParams['documents'][number]): number {
  return estimateTextTokens(typeof document === 'string' ? document : JSON.stringify(document));
}
