import type { Embeddings, EmbeddingParams, Ranking, RerankParams } from '@sluice/canonical';
import { estimateTextTokens } from '../metering/estimate-tokens.ts';

/** Adds usage to embeddings. If the upstream did not report it, it is estimated, because clients require a number. */
export function countedEmbeddings(response: Embeddings, params: EmbeddingParams): Counted<Embeddings> {
  return { ...response, inputTokens: response.inputTokens ?? embeddingTokens(params) };
}

export function embeddingTokens({ inputs }: EmbeddingParams): number {
  return inputs.reduce((sum, input) => sum + inputTokens(input), 0);
}

/**
 * Adds usage to a ranking. If the upstream did not report it, it is estimated: the model reads the query once for each
 * document.
 */
export function countedRanking(response: Ranking, params: RerankParams): Counted<Ranking> {
  return { ...response, inputTokens: response.inputTokens ?? rankingTokens(params) };
}

export function rankingTokens({ query, documents }: RerankParams): number {
  const queryTokens = estimateTextTokens(query);
  return documents.reduce<number>((sum, document) => sum + queryTokens + documentTokens(document), 0);
}

type Counted<T> = T & { inputTokens: number };

function inputTokens(input: EmbeddingParams['inputs'][number]): number {
  return typeof input === 'string' ? estimateTextTokens(input) : input.length;
}

function documentTokens(document: RerankParams['documents'][number]): number {
  return estimateTextTokens(typeof document === 'string' ? document : JSON.stringify(document));
}
