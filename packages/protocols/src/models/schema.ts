import { z } from 'zod';

/** The maximum and default page size. */
export const MAX_MODELS = 1_000;

const limit = (min: number) => {
  const error = `must be an integer of at least ${min}`;
  return z.coerce
    .number({ error })
    .int({ error })
    .min(min, { error })
    .transform((requested) => Math.min(requested, MAX_MODELS));
};

const id = z.string({ error: 'must be the id of a model' });

/** Query of the default and messages styles. */
export const ListModelsSchema = z.object({
  limit: limit(1)
    .optional()
    .meta({ description: `Number of models on the page; limit and default are ${MAX_MODELS}.` }),
  after_id: id.optional().meta({ description: 'Id of the last model of the previous page.' }),
  before_id: id.optional().meta({ description: 'Id of the first model of the next page.' }),
});

/** Query of the generative style. */
export const ListGenerativeModelsSchema = z.object({
  // Google's client libraries send 0 for an unset page size.
  pageSize: limit(0)
    .optional()
    .meta({ description: `Number of models on the page; limit and default are ${MAX_MODELS}.` }),
  pageToken: z
    .string({ error: 'must be the nextPageToken of the previous page' })
    .optional()
    .meta({ description: '`nextPageToken` of the previous page.' }),
});

/** Query of `GET /v1/models` in all styles, for the API reference. */
export const ListAnyModelsSchema = ListModelsSchema.extend(ListGenerativeModelsSchema.shape).extend({
  key: z.string().optional().meta({ description: 'An API key; selects the generative style.' }),
});

export const MessagesModelSchema = z
  .object({ type: z.literal('model'), id: z.string(), display_name: z.string(), created_at: z.string() })
  .meta({ id: 'MessagesModel' });

/** Read by clients of OpenAI and of the messages protocol. */
export const ModelSchema = z
  .object({
    ...MessagesModelSchema.shape,
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
    capabilities: z.array(z.string()).meta({ description: 'Abilities of the model, such as `text` or `video`.' }),
  })
  .meta({ id: 'Model' });

const cursors = {
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
};

export const ModelListSchema = z
  .object({ object: z.literal('list'), data: z.array(ModelSchema), ...cursors })
  .meta({ id: 'ModelList' });

export const MessagesModelListSchema = z
  .object({ data: z.array(MessagesModelSchema), ...cursors })
  .meta({ id: 'MessagesModelList' });

export const GenerativeModelSchema = z
  .object({
    name: z.string().meta({ description: '`models/` and the id.' }),
    baseModelId: z.string(),
    displayName: z.string(),
    supportedGenerationMethods: z.array(z.string()),
  })
  .meta({ id: 'GenerativeModel' });

export const GenerativeModelListSchema = z
  .object({ models: z.array(GenerativeModelSchema), nextPageToken: z.string().optional() })
  .meta({ id: 'GenerativeModelList' });
