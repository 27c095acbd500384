import { z } from 'zod';

/** Most models on a page, and how many there are when the client says nothing. */
export const MAX_MODELS = 1_000;

const limit = (min: number) =>
  z.coerce
    .number({ error: `must be a whole number of at least ${min}` })
    .int({ error: `must be a whole number of at least ${min}` })
    .min(min, { error: `must be a whole number of at least ${min}` })
    .transform((wanted) => Math.min(wanted, MAX_MODELS));

const id = z.string({ error: 'must be the id of a model' });

/** Query of the default and the messages style. */
export const ListModelsSchema = z.object({
  limit: limit(1)
    .optional()
    .meta({ description: `Models on the page; at most, and by default, ${MAX_MODELS}.` }),
  after_id: id.optional().meta({ description: 'Id of the last model of the page before.' }),
  before_id: id.optional().meta({ description: 'Id of the first model of the page after.' }),
});

/** Query of the generative style. */
export const ListGenerativeModelsSchema = z.object({
  // Google's client libraries write 0 for "not set".
  pageSize: limit(0)
    .optional()
    .meta({ description: `Models on the page; at most, and by default, ${MAX_MODELS}.` }),
  pageToken: z
    .string({ error: 'must be the nextPageToken of the page before' })
    .optional()
    .meta({ description: '`nextPageToken` of the page before.' }),
});

/** Query of `GET /v1/models`, for the documents: that of all styles. */
export const ListAnyModelsSchema = ListModelsSchema.extend(ListGenerativeModelsSchema.shape).extend({
  key: z.string().optional().meta({ description: 'An API key; chooses the generative style.' }),
});

/** A model of the messages protocol. */
export const MessagesModelSchema = z
  .object({ type: z.literal('model'), id: z.string(), display_name: z.string(), created_at: z.string() })
  .meta({ id: 'MessagesModel' });

/** A model of the default style: what OpenAI's clients read, and what those of the messages protocol do. */
export const ModelSchema = z
  .object({
    ...MessagesModelSchema.shape,
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
  })
  .meta({ id: 'Model' });

const cursors = {
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
};

/** The list in the default style. */
export const ModelListSchema = z
  .object({ object: z.literal('list'), data: z.array(ModelSchema), ...cursors })
  .meta({ id: 'ModelList' });

/** The list in the messages style. */
export const MessagesModelListSchema = z
  .object({ data: z.array(MessagesModelSchema), ...cursors })
  .meta({ id: 'MessagesModelList' });

/** A model of the generative-content protocol. */
export const GenerativeModelSchema = z
  .object({
    name: z.string().meta({ description: '`models/` and the id.' }),
    baseModelId: z.string(),
    displayName: z.string(),
    supportedGenerationMethods: z.array(z.string()),
  })
  .meta({ id: 'GenerativeModel' });

/** The list in the generative style. */
export const GenerativeModelListSchema = z
  .object({ models: z.array(GenerativeModelSchema), nextPageToken: z.string().optional() })
  .meta({ id: 'GenerativeModelList' });
