import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { embedText, unitVector } from '../../text/embed-text.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextFault } from '../../text/text-faults.ts';
import { plainRequest } from '../../text/text-request.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { EMBEDDING_WIDTH } from '../generative-content/embed-request.ts';
import { formatGoogleFault, invalidArgument } from '../google-style/google-error.ts';

const Dimensions = z.int().min(1).max(EMBEDDING_WIDTH).optional();
const TaskType = z
  .string()
  .regex(/^[A-Z_]+$/)
  .optional();

const PredictSchema = z.strictObject({
  instances: z
    .array(
      z.strictObject({
        content: z.string().min(1),
        task_type: TaskType,
        title: z.string().optional(),
        mimeType: z.string().optional(),
      }),
    )
    .min(1)
    .max(250),
  parameters: z.strictObject({ outputDimensionality: Dimensions, autoTruncate: z.boolean().optional() }).optional(),
});

const EmbedContentSchema = z.strictObject({
  content: z.strictObject({
    role: z.literal('user').optional(),
    parts: z.array(z.strictObject({ text: z.string().min(1) })).min(1),
  }),
  embedContentConfig: z
    .strictObject({
      taskType: TaskType,
      title: z.string().optional(),
      outputDimensionality: Dimensions,
      autoTruncate: z.boolean().optional(),
    })
    .optional(),
});

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  const rule = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is invalid'}`;
  throw invalidArgument(`Invalid JSON payload received. ${rule}`);
}

/** Serves `:predict` of embedding models, and `:embedContent` of the newer ones. Each endpoint serves only its models. */
export function servePredictions(
  vendor: TextVendor,
  { body }: FastifyRequest,
  reply: FastifyReply,
  { model, verb }: { model: string; verb: 'predict' | 'embedContent' },
): Promise<FastifyReply> {
  const isNew = model.includes('gemini') && model !== 'gemini-embedding-001';
  if (isNew !== (verb === 'embedContent')) throw invalidArgument(`${model} does not support ${verb}.`);
  const { texts, dimensions } = verb === 'predict' ? readPredict(body, model) : readEmbedContent(body);
  const vectors = texts.map((text) => unitVector(embedText(text, EMBEDDING_WIDTH)).slice(0, dimensions));
  const counts = texts.map((text) => countTokens(text));
  const [text = ''] = texts;
  return serveBuffered(
    vendor,
    {
      wire: 'vertex',
      text,
      fault: (kind: TextFault) => formatGoogleFault(kind, plainRequest(model, text)),
      body: () =>
        verb === 'predict'
          ? { predictions: vectors.map((values, at) => prediction(values, counts[at])) }
          : { embedding: { values: vectors[0] }, usageMetadata: { promptTokenCount: counts[0] }, truncated: false },
    },
    reply,
  );
}

function prediction(values: number[], token_count: number | undefined) {
  return { embeddings: { values, statistics: { token_count, truncated: false } } };
}

function readPredict(body: unknown, model: string) {
  const { instances, parameters = {} } = parse(PredictSchema, body);
  if (model.includes('gemini') && instances.length > 1) {
    throw invalidArgument(`${model} supports only one instance per request.`);
  }
  return { texts: instances.map(({ content }) => content), dimensions: parameters.outputDimensionality };
}

function readEmbedContent(body: unknown) {
  const { content, embedContentConfig = {} } = parse(EmbedContentSchema, body);
  return {
    texts: [content.parts.map(({ text }) => text).join('\n')],
    dimensions: embedContentConfig.outputDimensionality,
  };
}
