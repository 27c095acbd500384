import { WEBHOOK_EVENTS } from '@sluice/canonical';
import { z } from 'zod';
import { mustBeOneOf } from '../json/plain-text.ts';
import { CallbackUrlSchema } from '../media/callback-url.ts';
import { boundedText, FlagSchema, integer } from '../media/fields.ts';

const MAX_NAME = 256;
const notObject = { error: 'body must be a JSON object' };

const EventSchema = z.enum(WEBHOOK_EVENTS, { error: mustBeOneOf(WEBHOOK_EVENTS) });
const EventsSchema = z
  .array(EventSchema, { error: 'must be an array of event types' })
  .min(1, { error: 'must not be empty' })
  .max(32, { error: 'must contain each event once' });

const params = {
  url: CallbackUrlSchema.meta({
    description: 'The https URL that receives the events.',
    example: 'https://hooks.example/sluice',
  }),
  name: boundedText(MAX_NAME).optional().meta({ description: 'Your own name of the webhook.' }),
  events: EventsSchema.optional().meta({ description: 'Events to send. Default: all.' }),
  event_types: EventsSchema.optional().meta({ description: "The same under the name of OpenAI's SDKs." }),
  enabled: FlagSchema.optional().meta({ description: 'Whether events are sent.' }),
};

export const CreateWebhookSchema = z.looseObject(params, notObject).meta({ id: 'CreateWebhook' });

export const UpdateWebhookSchema = z
  .looseObject({ ...params, url: params.url.optional() }, notObject)
  .meta({ id: 'UpdateWebhook' });

export const RotateSecretSchema = z
  .looseObject(
    {
      keep_previous: FlagSchema.optional().meta({
        description: 'Whether the previous secret also signs deliveries, for `webhooks.rotation_ms`.',
      }),
      keep_old_secret_active_for_24_hours: FlagSchema.optional().meta({
        description: "The same under the name of OpenAI's SDKs.",
      }),
    },
    notObject,
  )
  .meta({ id: 'RotateWebhookSecret' });

export const TestWebhookSchema = z
  .looseObject(
    { event_type: EventSchema.optional().meta({ description: 'Default: the first event of the webhook.' }) },
    notObject,
  )
  .meta({ id: 'TestWebhook' });

function pageQuery(item: string, id: RegExp) {
  const error = `must be the id of a ${item}`;
  return z.object({
    after: z
      .string({ error })
      .regex(id, { error })
      .optional()
      .meta({ description: `Id of the last ${item} of the previous page.` }),
    limit: integer(1, 100)
      .default(20)
      .meta({
        description: 'Number of items on the page.',
        override: ({ jsonSchema }: { jsonSchema: { anyOf?: unknown } }) => {
          delete jsonSchema.anyOf;
          Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100 });
        },
      }),
  });
}

export const ListWebhooksSchema = pageQuery('webhook', /^whe_\w{1,128}$/);

export const ListDeliveriesSchema = pageQuery('delivery', /^whd_\w{1,128}$/);

const secretFields = {
  signing_secret_hint: z.string(),
  previous_secret_until: z.int().optional().meta({ description: 'Until when the previous secret also signs.' }),
};
const shownSecret = {
  secret: z.string().meta({ description: '`whsec_` and base64.' }),
  signing_secret: z.string().meta({ description: 'The same.' }),
};

/** A webhook. Times are in Unix seconds. */
export const WebhookSchema = z
  .object({
    id: z.string(),
    object: z.literal('webhook_endpoint'),
    url: z.string(),
    name: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    event_types: z.array(z.enum(WEBHOOK_EVENTS)),
    enabled: z.boolean(),
    disabled_reason: z
      .enum(['by_owner', 'gone'])
      .optional()
      .meta({ description: '`gone`: the server responded with 410.' }),
    created_at: z.int(),
    updated_at: z.int(),
    ...secretFields,
  })
  .meta({ id: 'Webhook' });

/** A webhook with its secret, which is returned only once. */
export const WebhookWithSecretSchema = WebhookSchema.extend(shownSecret).meta({ id: 'WebhookWithSecret' });

/** The secret that signs callbacks of individual requests. */
export const KeySecretSchema = z
  .object({ object: z.literal('webhook_secret'), ...shownSecret, ...secretFields })
  .meta({ id: 'WebhookSecret' });

const AttemptSchema = z.object({
  at: z.int().meta({ description: 'Unix seconds.' }),
  duration_ms: z.int(),
  status_code: z.int().optional().meta({ description: "Status of the server's response." }),
  error: z
    .enum([
      'invalid_url',
      'forbidden_address',
      'timeout',
      'network',
      'webhook_deleted',
      'webhook_disabled',
      'task_deleted',
      'key_revoked',
      'internal_error',
    ])
    .optional()
    .meta({ description: 'Why there is no response.' }),
  response: z
    .object({
      headers: z.record(z.string(), z.string()).meta({ description: 'A few headers, in lower case.' }),
      body: z.string().optional().meta({ description: 'Absent if the body is empty or not text.' }),
      truncated: z.literal(true).optional().meta({ description: 'The body was longer.' }),
    })
    .optional()
    .meta({ description: 'The response of the server, for the latest 8 attempts. Not in lists.' }),
});

/** The delivery of one event to one server. Times are in Unix seconds. */
export const DeliverySchema = z
  .object({
    id: z.string(),
    object: z.literal('webhook.delivery'),
    webhook_id: z.string().optional().meta({ description: "Absent for the `callback_url` of the task's request." }),
    event_id: z.string().meta({ description: 'The same as in `webhook-id`.' }),
    event_type: z.enum(WEBHOOK_EVENTS),
    task_id: z.string().optional().meta({ description: 'Id of the task or the response. Absent for a test.' }),
    status: z.enum(['pending', 'delivered', 'failed']),
    created_at: z.int(),
    next_attempt_at: z.int().optional(),
    attempts: z.array(AttemptSchema),
    request: z
      .object({
        url: z.string(),
        body: z.string().optional().meta({ description: 'Absent for a test, and if the task was deleted.' }),
      })
      .optional()
      .meta({ description: 'The request of each attempt, without its signature. Not in lists.' }),
  })
  .meta({ id: 'WebhookDelivery' });

export const WebhookTestSchema = z
  .object({
    object: z.literal('webhook_endpoint.test'),
    webhook_endpoint_id: z.string(),
    event_type: z.enum(WEBHOOK_EVENTS),
    success: z.boolean().meta({ description: 'Whether the server responded, with any status.' }),
    status_code: z.int().optional(),
    error: z.string().optional(),
    delivery: DeliverySchema,
  })
  .meta({ id: 'WebhookTest' });

function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  });
}

export const WebhookPageSchema = pageOf(WebhookSchema).meta({ id: 'WebhookPage' });

export const DeliveryPageSchema = pageOf(DeliverySchema).meta({ id: 'WebhookDeliveryPage' });

export const DeletedWebhookSchema = z
  .object({ id: z.string(), object: z.literal('webhook_endpoint.deleted'), deleted: z.literal(true) })
  .meta({ id: 'DeletedWebhook' });
