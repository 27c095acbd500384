import { z } from 'zod';
import { requiredOr } from '../json/plain-text.ts';

/** OpenAI's embeddings limit. Google's limit is lower, and upstreams enforce it. */
const MAX_REQUESTS = 2_048;

/** Maximum number of parts per content. Google documents no limit. */
const MAX_PARTS = 2_048;

const anObject = { error: 'must be an object' };
const text = z.string({ error: 'must be a string' });

const PartSchema = z.looseObject({ text: text.optional() }, anObject);

const ContentSchema = z.looseObject(
  {
    parts: z
      .array(PartSchema, { error: 'must be an array of parts' })
      .max(MAX_PARTS, `must have at most ${MAX_PARTS} items`)
      .optional(),
  },
  requiredOr('must be an object with parts'),
);

/** A request for one embedding, with keys in camel case (@google/genai 3.1, `models.embedContent`). */
export const EmbedContentSchema = z
  .looseObject(
    {
      model: text.min(1, 'must not be empty').optional(),
      content: ContentSchema,
      taskType: text.optional(),
      title: text.optional(),
      outputDimensionality: z.int({ error: 'must be an integer' }).min(1, 'must be at least 1').optional(),
    },
    anObject,
  )
  .meta({ id: 'EmbedContent' });

export const BatchEmbedContentsSchema = z
  .looseObject(
    {
      requests: z
        .array(EmbedContentSchema, requiredOr('must be an array of requests'))
        .min(1, 'must not be empty')
        .max(MAX_REQUESTS, `must have at most ${MAX_REQUESTS} items`),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'BatchEmbedContents' });

const ValuesSchema = z.object({ values: z.array(z.number()) });

export const ContentEmbeddingSchema = z.object({ embedding: ValuesSchema }).meta({ id: 'ContentEmbedding' });

export const ContentEmbeddingsSchema = z
  .object({ embeddings: z.array(ValuesSchema), usageMetadata: z.object({ promptTokenCount: z.int() }).optional() })
  .meta({ id: 'ContentEmbeddings' });
