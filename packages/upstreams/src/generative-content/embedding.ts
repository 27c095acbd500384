import { type Embeddings, type EmbeddingParams, fieldsForUpstream } from '@sluice/canonical';
import { z } from 'zod';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import type { WireRefusal } from '../direct/refusal.ts';
import { embeddingTexts } from '../direct/embedding-texts.ts';
import { fitDimensions, unitVector } from '../direct/fit-dimensions.ts';
import { splitEmbedding } from '../direct/split-embedding.ts';
import { WireNumbers } from '../direct/wire-vector.ts';
import { Tokens } from '../media/lenient.ts';
import { googleRefusal } from './google-refusal.ts';
import { modelPath } from './model-path.ts';

/** Gemini API error message: "At most 100 requests can be in one batch". */
const MAX_TEXTS = 100;

const WireEmbeddings = z.looseObject({
  embeddings: z.array(z.looseObject({ values: WireNumbers })),
  usageMetadata: z.looseObject({ promptTokenCount: Tokens }).nullish().catch(undefined),
});

/** `POST /models/{model}:batchEmbedContents` (@google/genai 3.1), with one request per text. */
export const geminiEmbedding: DirectWire<EmbeddingParams, Embeddings> = {
  request: (params, { model, report }) => {
    const { task, titles, dimensions, foreign } = params;
    const shared = {
      ...fieldsForUpstream(foreign, 'generative-content', report),
      model: `models/${model.replace(/^models\//, '')}`,
      ...(task !== undefined && { taskType: task }),
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    };
    const requests = embeddingTexts(params).map((text, index) => {
      const title = titles?.[index];
      return Object.assign({ ...shared, content: { parts: [{ text }] } }, title !== undefined && { title });
    });
    return { path: `${modelPath(model)}:batchEmbedContents`, json: { requests } };
  },
  read: (body, params, { model }) => {
    const { data } = WireEmbeddings.safeParse(body);
    if (data?.embeddings.length !== params.inputs.length) return undefined;
    // Google normalizes only full-length vectors. Only clients with Google's protocol expect that.
    const isShort = params.dimensions !== undefined && params.foreign.protocol !== 'generative-content';
    const vectors = data.embeddings.map(({ values }) => (isShort ? unitVector(values) : values));
    const inputTokens = data.usageMetadata?.promptTokenCount;
    return fitDimensions({ vectors, ...(inputTokens !== undefined && { inputTokens }) }, params, model);
  },
  refusal: embeddingRefusal,
  split: splitEmbedding(MAX_TEXTS),
};

/** Drops the error's field path, because it refers to the upstream's request instead of the client's. */
function embeddingRefusal(response: Parameters<typeof googleRefusal>[0]): WireRefusal {
  const { text, ...refusal } = googleRefusal(response);
  const theirs = text?.replaceAll(/ at 'requests\[\d+\]'|(?:\bBatchEmbedContentsRequest\.)?\brequests\[\d+\]\./g, '');
  return { ...refusal, text: theirs };
}
