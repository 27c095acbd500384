import type { Embeddings, EmbeddingWish, Ranking, RerankWish } from '@sluice/canonical';
import { textTokens } from '../text/estimate-tokens.ts';

/** Vectors whose cost is told by the upstream, or else estimated: clients want a number. */
export function countedEmbeddings(answer: Embeddings, { inputs }: EmbeddingWish): Counted<Embeddings> {
  const tokens = () => inputs.reduce((sum, input) => sum + inputTokens(input), 0);
  return { ...answer, inputTokens: answer.inputTokens ?? tokens() };
}

/** A ranking whose cost is told by the upstream, or else estimated: the query is read once with each document. */
export function countedRanking(answer: Ranking, { query, documents }: RerankWish): Counted<Ranking> {
  const asked = textTokens(query);
  const tokens = () => documents.reduce<number>((sum, document) => sum + asked + documentTokens(document), 0);
  return { ...answer, inputTokens: answer.inputTokens ?? tokens() };
}

type Counted<T> = T & { inputTokens: number };

function inputTokens(input: EmbeddingWish['inputs'][number]): number {
  return typeof input === 'string' ? textTokens(input) : input.length;
}

function documentTokens(document: RerankWish['documents'][number]): number {
  return textTokens(typeof document === 'string' ? document : JSON.stringify(document));
}
