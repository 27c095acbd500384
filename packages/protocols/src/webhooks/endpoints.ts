import type { ErrorCode } from '@sluice/canonical';
import type { z } from 'zod';
import { type Credential, defineEndpoints, type WebhookAction, type WebhookEndpoint } from '../contracts/endpoint.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import type { WebhooksProtocol } from '../contracts/webhooks-protocol.ts';
import {
  decodeChange,
  decodeDeliveryPage,
  decodeRotation,
  decodeTest,
  decodeWebhook,
  decodeWebhookPage,
} from './request.ts';
import {
  encodeDeleted,
  encodeDeliveries,
  encodeDelivery,
  encodeSecret,
  encodeTest,
  encodeWebhook,
  encodeWebhooks,
} from './response.ts';
import {
  CreateWebhookSchema,
  DeletedWebhookSchema,
  DeliveryPageSchema,
  DeliverySchema,
  KeySecretSchema,
  ListDeliveriesSchema,
  ListWebhooksSchema,
  RotateSecretSchema,
  TestWebhookSchema,
  UpdateWebhookSchema,
  WebhookPageSchema,
  WebhookSchema,
  WebhookTestSchema,
  WebhookWithSecretSchema,
} from './schema.ts';

/** Webhooks, with Sluice's field names and the field names that OpenAI's SDKs use. */
export const webhooksProtocol: WebhooksProtocol = {
  name: 'webhooks',
  decodeWebhook,
  decodeChange,
  decodeRotation: (fields) => decodeRotation(fields, true),
  decodeTest,
  decodeWebhookPage,
  decodeDeliveryPage,
  encodeWebhook,
  encodeWebhooks,
  encodeDeleted,
  encodeSecret,
  encodeTest,
  encodeDelivery,
  encodeDeliveries,
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

/**
 * Webhooks under OpenAI's paths (openai-node 7, `resources/webhooks`). A rotation keeps the previous secret only if
 * requested.
 */
const openAiProtocol: WebhooksProtocol = {
  ...webhooksProtocol,
  decodeRotation: (fields) => decodeRotation(fields, false),
};

const credentials: readonly Credential[] = ['bearer'];
const UNKNOWN = ['webhook_not_found'] as const satisfies readonly ErrorCode[];
const BODY = ['payload_too_large', 'unsupported_media_type'] as const satisfies readonly ErrorCode[];

interface Call {
  method: WebhookEndpoint['method'];
  /** Path below the webhooks path. */
  subpath: string;
  id: string;
  summary: string;
  action: WebhookAction;
  body?: z.ZodType;
  query?: z.ZodObject;
  response: z.ZodType;
  described: string;
  errors: readonly ErrorCode[];
}

const create = { subpath: '', body: CreateWebhookSchema, response: WebhookWithSecretSchema, errors: BODY } as const;
const change = {
  subpath: '/:webhook_id',
  body: UpdateWebhookSchema,
  response: WebhookSchema,
  errors: [...UNKNOWN, ...BODY],
} as const;

/** Calls that both paths support. */
const SHARED: readonly Call[] = [
  {
    ...create,
    method: 'POST',
    id: 'createWebhook',
    summary: 'Create a webhook',
    action: 'webhook.create',
    described: 'The webhook and its secret, which is not shown again',
  },
  {
    method: 'GET',
    subpath: '',
    id: 'listWebhooks',
    summary: 'List the webhooks of this key',
    action: 'webhook.list',
    query: ListWebhooksSchema,
    response: WebhookPageSchema,
    described: 'A page of webhooks, oldest first',
    errors: UNKNOWN,
  },
  {
    method: 'GET',
    subpath: '/:webhook_id',
    id: 'retrieveWebhook',
    summary: 'Retrieve a webhook',
    action: 'webhook.retrieve',
    response: WebhookSchema,
    described: 'The webhook',
    errors: UNKNOWN,
  },
  {
    method: 'DELETE',
    subpath: '/:webhook_id',
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    action: 'webhook.delete',
    response: DeletedWebhookSchema,
    described: 'Deleted',
    errors: [...UNKNOWN, ...BODY],
  },
  {
    method: 'POST',
    subpath: '/:webhook_id/test',
    id: 'testWebhook',
    summary: "Send a test event and wait for the server's response",
    action: 'webhook.test',
    body: TestWebhookSchema,
    response: WebhookTestSchema,
    described: "The server's response",
    errors: [...UNKNOWN, ...BODY, 'deadline_exceeded'],
  },
];

const ROTATION = {
  method: 'POST',
  action: 'webhook.rotate',
  body: RotateSecretSchema,
  response: WebhookWithSecretSchema,
  errors: [...UNKNOWN, ...BODY],
  described: 'The webhook and its new secret',
} as const;

const SLUICE_CALLS: readonly Call[] = [
  ...SHARED,
  {
    ...change,
    method: 'PATCH',
    id: 'updateWebhook',
    summary: 'Change a webhook',
    action: 'webhook.update',
    described: 'The updated webhook',
  },
  {
    ...ROTATION,
    subpath: '/:webhook_id/rotate',
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook; both secrets sign for a limited time',
  },
  {
    method: 'GET',
    subpath: '/:webhook_id/deliveries',
    id: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    action: 'webhook.list-deliveries',
    query: ListDeliveriesSchema,
    response: DeliveryPageSchema,
    described: 'A page of deliveries, newest first',
    errors: UNKNOWN,
  },
  {
    method: 'GET',
    subpath: '/deliveries',
    id: 'listDeliveries',
    summary: 'List all webhook and callback deliveries of this key',
    action: 'webhook.list-deliveries',
    query: ListDeliveriesSchema,
    response: DeliveryPageSchema,
    described: 'A page of deliveries, newest first',
    errors: UNKNOWN,
  },
  {
    method: 'GET',
    subpath: '/deliveries/:delivery_id',
    id: 'retrieveDelivery',
    summary: 'Retrieve a delivery',
    action: 'webhook.retrieve-delivery',
    response: DeliverySchema,
    described: 'The delivery',
    errors: UNKNOWN,
  },
  {
    method: 'POST',
    subpath: '/deliveries/:delivery_id/redeliver',
    id: 'redeliver',
    summary: 'Retry a delivery',
    action: 'webhook.redeliver',
    response: DeliverySchema,
    described: 'The delivery, pending again',
    errors: [...UNKNOWN, ...BODY],
  },
  {
    method: 'GET',
    subpath: '/secret',
    id: 'retrieveWebhookSecret',
    summary: 'Retrieve the secret that signs callbacks of single requests',
    action: 'webhook.retrieve-secret',
    response: KeySecretSchema,
    described: 'The secret',
    errors: [],
  },
  {
    method: 'POST',
    subpath: '/secret/rotate',
    id: 'rotateKeySecret',
    summary: 'Rotate the callback secret; both secrets sign for a limited time',
    action: 'webhook.rotate-secret',
    body: RotateSecretSchema,
    response: KeySecretSchema,
    described: 'The new secret',
    errors: BODY,
  },
];

/** Operation ids of shared calls get the suffix `Endpoint`. */
const OPENAI_CALLS: readonly Call[] = [
  ...SHARED,
  {
    ...change,
    method: 'POST',
    id: 'updateWebhook',
    summary: 'Change a webhook',
    action: 'webhook.update',
    described: 'The updated webhook',
  },
  {
    ...ROTATION,
    subpath: '/:webhook_id/rotate_secret',
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
  },
];

function routes(base: string, calls: readonly Call[], protocol: WebhooksProtocol, suffix = ''): WebhookEndpoint[] {
  return calls.map(({ method, subpath, id, summary, action, body, query, response, described, errors }) => ({
    method,
    path: base + subpath,
    operationId: id + suffix,
    summary,
    action,
    credentials,
    protocol,
    ...(query && { query }),
    ...(body && { body: { content: { 'application/json': body }, fileFields: [], isText: true } }),
    responses: { 200: { description: described, content: { 'application/json': response } } },
    errors: [...errors, 'store_unavailable'],
  }));
}

export const webhooksEndpoints = defineEndpoints([
  ...routes('/v1/webhooks', SLUICE_CALLS, webhooksProtocol),
  ...routes('/v1/webhook_endpoints', OPENAI_CALLS, openAiProtocol, 'Endpoint'),
]);
