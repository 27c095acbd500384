import { GatewayError } from '@sluice/canonical';
import {
  encodeWebhook,
  encodeWebhookDelivery,
  WebhookDeliverySchema,
  WebhookSchema,
  WebhookWithSecretSchema,
} from '@sluice/protocols';
import { z } from 'zod';
import { pageSchema } from '../schemas/pages.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import type { AdminDeps } from './admin-deps.ts';

const key = z.string().describe('Name of the API key.');

const AdminWebhookSchema = WebhookSchema.extend({ key }).meta({ id: 'AdminWebhook' });
const AdminWebhookSecretSchema = WebhookWithSecretSchema.extend({ key }).meta({ id: 'AdminWebhookSecret' });
const AdminDeliverySchema = WebhookDeliverySchema.extend({ key }).meta({ id: 'AdminWebhookDelivery' });

export const AdminWebhookPageSchema = pageSchema(AdminWebhookSchema, 'AdminWebhookPage');
export const AdminDeliveryPageSchema = pageSchema(AdminDeliverySchema, 'AdminWebhookDeliveryPage');

const cursor = (id: RegExp) =>
  z.string().regex(id, 'must be `next` of the previous page').optional().describe('`next` of the previous page.');
const ListSchema = z.strictObject({
  key: z.string().min(1).max(512).optional().describe('Name of an API key, also of one that no longer exists.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of items in a page.'),
  after: cursor(/^whe_\w{1,128}$/),
});
const DeliveriesSchema = ListSchema.extend({
  after: cursor(/^whd_\w{1,128}$/),
  webhook_id: z.string().min(1).max(140).optional().describe('Only deliveries to this webhook.'),
});
const RotationSchema = z
  .strictObject({
    keep_previous: z
      .boolean()
      .default(true)
      .describe('Whether the previous secret also signs deliveries, for `webhooks.rotation_ms`.'),
  })
  .meta({ id: 'AdminWebhookRotation' });

const errors = ['webhook_not_found', 'store_unavailable'] as const;
const byId = { path: '/admin/v1/webhooks/:id', errors } as const;

/** Webhooks and deliveries of all keys. */
export const WEBHOOK_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/webhooks',
    operationId: 'adminListWebhooks',
    summary: 'List the webhooks of all keys, by key',
    query: ListSchema,
    response: { status: 200, description: 'A page of webhooks', schema: AdminWebhookPageSchema },
    errors,
    serve: async (deps, { query: { key: name, ...page } }) => {
      const { webhooks, hasMore } = await deps.webhooks.browser.webhooks(await ownersOf(deps, name), page);
      const data = webhooks.map(({ ownerId, ...webhook }) => Object.assign(encodeWebhook(webhook), { key: ownerId }));
      return listOf(data, hasMore);
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/webhooks/deliveries',
    operationId: 'adminListWebhookDeliveries',
    summary: 'List the deliveries of all keys, newest first',
    query: DeliveriesSchema,
    response: { status: 200, description: 'A page of deliveries', schema: AdminDeliveryPageSchema },
    errors,
    serve: async (deps, { query: { key: name, webhook_id: webhookId, limit, after } }) => {
      const { webhooks } = deps;
      if (webhookId !== undefined) {
        const owner = await webhooks.browser.ownerOf(webhookId);
        if (name !== undefined && name !== owner) return listOf([], false);
        const page = await webhooks.deliveries(owner, { webhookId, limit, ...(after !== undefined && { after }) });
        return listOf(
          page.deliveries.map((one) => shown(one, owner)),
          page.hasMore,
        );
      }
      const page = await webhooks.browser.deliveries(await ownersOf(deps, name), { limit, after });
      return listOf(
        page.deliveries.map((one) => shown(one, one.ownerId)),
        page.hasMore,
      );
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/webhooks/deliveries/:id',
    operationId: 'adminRetrieveWebhookDelivery',
    summary: 'Retrieve a delivery with its request',
    response: { status: 200, description: 'The delivery', schema: AdminDeliverySchema },
    errors,
    serve: async ({ webhooks, deliveryRequest }, { params: { id = '' } }) => {
      const delivery = await webhooks.browser.delivery(id);
      return shown(delivery, delivery.ownerId, await deliveryRequest(delivery));
    },
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/webhooks/deliveries/:id/redeliver',
    role: 'operator',
    operationId: 'adminRedeliverWebhook',
    summary: 'Send a delivery again',
    response: { status: 200, description: 'The delivery', schema: AdminDeliverySchema },
    errors,
    serve: async ({ webhooks }, { params: { id = '' } }) => {
      const { ownerId } = await webhooks.browser.delivery(id);
      return shown(await webhooks.redeliver(ownerId, id), ownerId);
    },
  }),
  defineAdminEndpoint({
    ...byId,
    method: 'GET',
    operationId: 'adminRetrieveWebhook',
    summary: 'Retrieve a webhook of any key',
    response: { status: 200, description: 'The webhook', schema: AdminWebhookSchema },
    serve: async ({ webhooks }, { params: { id = '' } }) => {
      const owner = await webhooks.browser.ownerOf(id);
      return { ...encodeWebhook(await webhooks.find(owner, id)), key: owner };
    },
  }),
  defineAdminEndpoint({
    ...byId,
    method: 'DELETE',
    operationId: 'adminDeleteWebhook',
    summary: 'Delete a webhook of any key',
    response: { status: 200, description: 'The deleted webhook', schema: AdminWebhookSchema },
    serve: async ({ webhooks }, { params: { id = '' } }) => {
      const owner = await webhooks.browser.ownerOf(id);
      const webhook = await webhooks.find(owner, id);
      await webhooks.remove(owner, id);
      return { ...encodeWebhook(webhook), key: owner };
    },
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/webhooks/:id/rotate',
    operationId: 'adminRotateWebhookSecret',
    summary: 'Rotate the secret of a webhook of any key, and return the new one',
    body: RotationSchema,
    response: { status: 200, description: 'The webhook with its new secret', schema: AdminWebhookSecretSchema },
    errors,
    serve: async ({ webhooks }, { params: { id = '' }, body: { keep_previous: keepsPrevious } }) => {
      const owner = await webhooks.browser.ownerOf(id);
      return { ...encodeWebhook(await webhooks.rotate(owner, id, keepsPrevious)), key: owner };
    },
  }),
];

/**
 * Admins can call models from the console, and so they can have webhooks.
 * @returns the owner that the filter names, or the names of all keys and admins. @throws GatewayError `store_unavailable`
 */
async function ownersOf(
  { configuredKeys, storedKeys, consoleOwners }: Pick<AdminDeps, 'configuredKeys' | 'storedKeys' | 'consoleOwners'>,
  name: string | undefined,
): Promise<string[]> {
  if (name !== undefined) return [name];
  const [stored, owners] = await Promise.all([storedKeys.store.list(), consoleOwners()]);
  return [...new Set([...[...configuredKeys, ...stored].map((one) => one.name), ...owners])];
}

function shown(
  delivery: Parameters<typeof encodeWebhookDelivery>[0],
  owner: string,
  request?: Parameters<typeof encodeWebhookDelivery>[1],
) {
  return { ...encodeWebhookDelivery(delivery, request), key: owner };
}

function listOf(data: readonly { id: string }[], hasMore: boolean) {
  const last = data.at(-1);
  if (hasMore && !last) throw new GatewayError('internal_error', 'A page that is not the last one has no items.');
  return { object: 'list', data, has_more: hasMore, ...(hasMore && last && { next: last.id }) };
}
