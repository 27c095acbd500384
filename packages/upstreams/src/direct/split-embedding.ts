import type { Embeddings, EmbeddingParams } from '@sluice/canonical';
import { chunksOf } from './send-parts.ts';
import type { ParamsSplit } from './create-direct-upstream.ts';

/** @param limit the maximum number of texts in one request, which may depend on the model */
export function splitEmbedding(limit: number | ((model: string) => number)): ParamsSplit<EmbeddingParams, Embeddings> {
  return {
    parts: (params, { model }) => {
      const max = typeof limit === 'number' ? limit : limit(model);
      const titles = params.titles && chunksOf(params.titles, max);
      return chunksOf(params.inputs, max).map((inputs, index) => {
        const part = titles?.[index];
        return Object.assign({ ...params, inputs }, part && { titles: part });
      });
    },
    join: (responses) => ({
      vectors: responses.flatMap(({ vectors }) => vectors),
      ...summed(responses.map(({ inputTokens }) => inputTokens)),
    }),
  };
}

/** Adds the token counts of all parts. Returns undefined if a part has no count, because the sum would be wrong. */
function summed(tokens: readonly (number | undefined)[]): { inputTokens?: number } {
  let inputTokens = 0;
  for (const count of tokens) {
    if (count === undefined) return {};
    inputTokens += count;
  }
  return { inputTokens };
}
