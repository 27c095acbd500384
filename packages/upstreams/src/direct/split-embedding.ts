import type { Embeddings, EmbeddingWish } from '@sluice/canonical';
import { chunksOf } from './ask-in-parts.ts';
import type { WishSplit } from './create-direct-upstream.ts';

/** Splits a wish for vectors for a vendor that takes so many texts in one call. */
export function splitEmbedding(most: number): WishSplit<EmbeddingWish, Embeddings> {
  return {
    parts: (wish) => {
      const titles = wish.titles && chunksOf(wish.titles, most);
      return chunksOf(wish.inputs, most).map((inputs, index) => {
        const part = titles?.[index];
        return Object.assign({ ...wish, inputs }, part && { titles: part });
      });
    },
    join: (answers) => ({
      vectors: answers.flatMap(({ vectors }) => vectors),
      ...summed(answers.map(({ inputTokens }) => inputTokens)),
    }),
  };
}

/** Half a sum would be wrong; none is estimated. */
function summed(tokens: readonly (number | undefined)[]): { inputTokens?: number } {
  let inputTokens = 0;
  for (const count of tokens) {
    if (count === undefined) return {};
    inputTokens += count;
  }
  return { inputTokens };
}
