import type { Embeddings, EmbeddingWish, Ranking, RerankWish } from '@sluice/canonical';
import { textTokens } from '../text/estimate-tokens.ts';

/** Vectors whose cost is told by the upstream, or else estimated: clients want a number. */
export function countedEmbeddings(answer: Embeddings, wish: EmbeddingWish): Counted<Embeddings> {
  return { ...answer, inputTokens: answer.inputTokens ?? embeddingTokens(wish) };
}

/** About how many tokens there are to be made vectors of. */
export function embeddingTokens({ inputs }: EmbeddingWish): number {
  return inputs.reduce((sum, input) => sum + inputTokens(input), 0);
}

/** A ranking whose cost is told by the upstream, or else estimated: the query is read once with each document. */
export function countedRanking(answer: Ranking, wish: RerankWish): Counted<Ranking> {
  return { ...answer, inputTokens: answer.inputTokens ?? rankingTokens(wish) };
}

/** About how many tokens there are to be ranked. */
export function rankingTokens({ query, documents }: RerankWish): number {
  const asked = textTokens(query);
  return documents.reduce<number>((sum, document) => sum + asked + documentTokens(document), 0);
}

type Counted<T> = T & { inputTokens: number };

function inputTokens(input: EmbeddingWish['inputs'][number]): number {
  return typeof input === 'string' ? textTokens(input) : input.length;
}

function documentTokens(document: RerankWish['documents'][number]): number {
  return textTokens(typeof document === 'string' ? document : JSON.stringify(document));
}
