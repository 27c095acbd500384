import { z } from 'zod';
import { integer } from '../media/fields.ts';
import { PrioritySchema } from './schema.ts';

const DEFAULT_PAGE = 20;
const MAX_PAGE = 100;
const MAX_NAME = 512;

const name = () =>
  z
    .string({ error: 'must be a string' })
    .max(MAX_NAME, { error: `must be at most ${MAX_NAME} characters` })
    .transform((text) => text.toWellFormed());

const fileName = () =>
  z
    .string({ error: 'must be the name of a file (e.g. `files/abc`)' })
    .regex(/^(?:files\/)?[\w-]{1,64}$/, { error: 'must be the name of a file (e.g. `files/abc`)' });

/** The requests are read one by one, so the array is empty here. */
const emptied = () => z.array(z.unknown(), { error: 'must be an array' }).max(0, { error: 'must be an array' });

const InputSchema = z.looseObject(
  {
    fileName: fileName().optional(),
    file_name: fileName().optional(),
    requests: z.looseObject({ requests: emptied() }, { error: 'must be an object with requests' }).optional(),
  },
  { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
);

/** The body of a creation without its requests. Google's API accepts camel case and snake case. */
export const GenerativeBatchOptionsSchema = z.looseObject(
  {
    batch: z.looseObject(
      {
        displayName: name().optional(),
        display_name: name().optional(),
        inputConfig: InputSchema.optional(),
        input_config: InputSchema.optional(),
        priority: PrioritySchema.optional(),
        webhookConfig: z
          .undefined({ error: 'is not supported. Create a webhook with `POST /v1/webhooks` instead' })
          .optional(),
      },
      { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
    ),
  },
  { error: 'body must be a JSON object' },
);

/** A request of a batch. Its content is checked when it runs. */
export const GenerativeRequestSchema = z.looseObject(
  {
    request: z.looseObject(
      { model: z.string({ error: 'must be a string' }).optional() },
      { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
    ),
    metadata: z.record(z.string(), z.unknown(), { error: 'must be an object' }).nullish(),
  },
  { error: 'must be an object' },
);

/** A line of an input file in Google's format. */
export const GenerativeLineSchema = GenerativeRequestSchema.extend({
  key: z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .min(1, { error: 'must not be empty' })
    .max(MAX_NAME, { error: `must be at most ${MAX_NAME} characters` }),
});

/** For the documentation. */
export const CreateGenerativeBatchSchema = z
  .looseObject({
    batch: z.looseObject({
      displayName: z.string().optional(),
      inputConfig: z.looseObject({
        fileName: z.string().optional().meta({
          description: 'A file of this key. Each line has `key` and `request`.',
        }),
        requests: z
          .looseObject({ requests: z.array(GenerativeRequestSchema) })
          .optional()
          .meta({ description: 'The requests, instead of `fileName`.' }),
      }),
      priority: PrioritySchema.optional(),
    }),
  })
  .meta({ id: 'CreateGenerativeBatch' });

export const ListGenerativeBatchesSchema = z.object({
  // Google's client libraries send 0 for an unset page size.
  pageSize: integer(0, MAX_PAGE)
    .transform((size) => size || DEFAULT_PAGE)
    .default(DEFAULT_PAGE)
    .meta({ description: 'Number of batches on the page.' }),
  pageToken: z
    .string({ error: 'must be the nextPageToken of the previous page' })
    .regex(/^(?:[0-9a-z]{25})?$/, { error: 'must be the nextPageToken of the previous page' })
    .optional()
    .meta({ description: '`nextPageToken` of the previous page.' }),
});

const OutputSchema = z.object({
  responsesFile: z.string().optional().meta({ description: 'The name of a file with one result in each line.' }),
  inlinedResponses: z
    .object({ inlinedResponses: z.array(z.unknown()) })
    .optional()
    .meta({ description: 'The results in the order of the requests, if these were in the body of the creation.' }),
});

export const GenerativeBatchSchema = z
  .object({
    name: z.string().meta({ description: '`batches/` and the id without `batch_`.' }),
    metadata: z.object({
      '@type': z.string(),
      name: z.string(),
      model: z.string().optional(),
      displayName: z.string().optional(),
      state: z.enum([
        'BATCH_STATE_PENDING',
        'BATCH_STATE_RUNNING',
        'BATCH_STATE_SUCCEEDED',
        'BATCH_STATE_FAILED',
        'BATCH_STATE_CANCELLED',
        'BATCH_STATE_EXPIRED',
      ]),
      createTime: z.iso.datetime(),
      updateTime: z.iso.datetime(),
      endTime: z.iso.datetime().optional(),
      priority: z.string(),
      batchStats: z.object({
        requestCount: z.string(),
        successfulRequestCount: z.string(),
        failedRequestCount: z.string(),
        pendingRequestCount: z.string(),
      }),
      output: OutputSchema.optional(),
    }),
    done: z.boolean(),
    error: z.object({ code: z.int(), message: z.string() }).optional(),
    response: OutputSchema.extend({ '@type': z.string() }).optional(),
  })
  .meta({ id: 'GenerativeBatch' });

export const GenerativeBatchPageSchema = z
  .object({ operations: z.array(GenerativeBatchSchema), nextPageToken: z.string().optional() })
  .meta({ id: 'GenerativeBatchPage' });
