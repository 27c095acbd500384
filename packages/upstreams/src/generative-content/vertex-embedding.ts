import { type Embeddings, type EmbeddingParams, fieldsForUpstream } from '@sluice/canonical';
import { z } from 'zod';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { embeddingTexts } from '../direct/embedding-texts.ts';
import { fitDimensions, unitVector } from '../direct/fit-dimensions.ts';
import { splitEmbedding } from '../direct/split-embedding.ts';
import { WireNumbers } from '../direct/wire-vector.ts';
import { Tokens } from '../media/lenient.ts';
import { googleRefusal } from './google-refusal.ts';
import { modelPath } from './model-path.ts';

/** Vertex AI docs, "Get text embeddings": 250 texts per request, but one for Gemini models. */
const MAX_TEXTS = 250;

const WirePredictions = z.looseObject({
  predictions: z.array(
    z.looseObject({
      embeddings: z.looseObject({
        values: WireNumbers,
        statistics: z.looseObject({ token_count: Tokens }).nullish().catch(undefined),
      }),
    }),
  ),
});
const WireEmbedding = z.looseObject({
  embedding: z.looseObject({ values: WireNumbers }),
  usageMetadata: z.looseObject({ promptTokenCount: Tokens }).nullish().catch(undefined),
});

/**
 * Embeddings of Vertex AI (@google/genai 3.1): `:embedContent` for Gemini models after the first one and for models as a
 * service, and `:predict` for all others.
 */
export const vertexEmbedding: DirectWire<EmbeddingParams, Embeddings> = {
  request: (params, { model, report }) => {
    const { task, titles, dimensions, foreign } = params;
    const foreignFields = fieldsForUpstream(foreign, 'generative-content', report);
    const texts = embeddingTexts(params);
    if (isEmbedContentModel(model)) {
      const embedContentConfig = {
        ...foreignFields,
        taskType: task,
        title: titles?.[0],
        outputDimensionality: dimensions,
      };
      const content = { role: 'user', parts: [{ text: texts[0] }] };
      return { path: `${modelPath(model)}:embedContent`, json: { content, embedContentConfig } };
    }
    const instances = texts.map((content, index) => ({ content, task_type: task, title: titles?.[index] }));
    const parameters = { ...foreignFields, outputDimensionality: dimensions };
    return { path: `${modelPath(model)}:predict`, json: { instances, parameters } };
  },
  read: (body, params, { model }) => {
    const embeddings = isEmbedContentModel(model) ? readEmbedding(body) : readPredictions(body);
    if (embeddings?.vectors.length !== params.inputs.length) return undefined;
    // Google normalizes only full-length vectors. Only clients with Google's protocol expect that.
    const isShort = params.dimensions !== undefined && params.foreign.protocol !== 'generative-content';
    const vectors = isShort ? embeddings.vectors.map(unitVector) : embeddings.vectors;
    return fitDimensions({ ...embeddings, vectors }, params, model);
  },
  refusal: googleRefusal,
  split: splitEmbedding((model) => (model.includes('gemini') || isEmbedContentModel(model) ? 1 : MAX_TEXTS)),
};

function isEmbedContentModel(model: string): boolean {
  return (model.includes('gemini') && !model.endsWith('gemini-embedding-001')) || model.includes('maas');
}

interface Numbers {
  vectors: (readonly number[])[];
  inputTokens?: number;
}

function readEmbedding(body: unknown): Numbers | undefined {
  const { data } = WireEmbedding.safeParse(body);
  return data && withTokens([data.embedding.values], data.usageMetadata?.promptTokenCount);
}

function readPredictions(body: unknown): Numbers | undefined {
  const { data } = WirePredictions.safeParse(body);
  if (!data) return undefined;
  const counts = data.predictions.map(({ embeddings }) => embeddings.statistics?.token_count);
  const vectors = data.predictions.map(({ embeddings }) => embeddings.values);
  return withTokens(
    vectors,
    counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0),
  );
}

function withTokens(vectors: (readonly number[])[], inputTokens: number | undefined): Numbers {
  return { vectors, ...(inputTokens !== undefined && { inputTokens }) };
}
