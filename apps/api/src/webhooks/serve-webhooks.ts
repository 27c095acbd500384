import { GatewayError, type WebhookDelivery } from '@sluice/canonical';
import type { WebhookEndpoint } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { checkCallback } from '../http/check-callback.ts';
import type { WebhookDeps } from './webhook-services.ts';

/** One call of an endpoint of webhooks. */
export interface WebhookCall {
  endpoint: WebhookEndpoint;
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** How often it is looked for the outcome of a test. */
const POLL_MS = 100;

/** Carries out a call; whatever it throws is answered in the protocol's shape. */
export async function serveWebhook(deps: WebhookDeps, call: WebhookCall): Promise<unknown> {
  const { endpoint, request, reply } = call;
  const { webhooks } = deps;
  const { protocol } = endpoint;
  const { body, query } = request;
  const owner = call.apiKey.name;
  const { webhook_id: id = '', delivery_id: deliveryId = '' } = request.params as Record<string, string>; // so named in the paths
  switch (endpoint.action) {
    case 'webhook.create': {
      const params = checked(deps, protocol.decodeWebhook(body));
      return protocol.encodeWebhook(await webhooks.create(owner, params));
    }
    case 'webhook.list': {
      const { after, limit } = protocol.decodePage(query);
      const all = await webhooks.list(owner);
      const from = after === undefined ? 0 : all.findIndex((one) => one.id === after) + 1 || all.length;
      return protocol.encodeWebhooks(all.slice(from, from + limit), from + limit < all.length);
    }
    case 'webhook.retrieve':
      return protocol.encodeWebhook(await webhooks.find(owner, id));
    case 'webhook.update': {
      const params = checked(deps, protocol.decodeChange(body));
      return protocol.encodeWebhook(await webhooks.update(owner, id, params));
    }
    case 'webhook.delete':
      await webhooks.remove(owner, id);
      return protocol.encodeDeleted(id);
    case 'webhook.rotate': {
      const { keepsPrevious } = protocol.decodeRotation(body);
      return protocol.encodeWebhook(await webhooks.rotate(owner, id, keepsPrevious));
    }
    case 'webhook.test': {
      const { type } = protocol.decodeTest(body);
      const delivery = await webhooks.test(owner, id, type);
      return protocol.encodeTest(await firstAttempt(deps, reply, owner, delivery));
    }
    case 'webhook.retrieve-secret':
      return protocol.encodeSecret(await webhooks.keySecret(owner));
    case 'webhook.rotate-secret': {
      const { keepsPrevious } = protocol.decodeRotation(body);
      return protocol.encodeSecret(await webhooks.rotateKeySecret(owner, keepsPrevious));
    }
    case 'webhook.list-deliveries': {
      const page = await webhooks.deliveries(owner, {
        ...protocol.decodePage(query),
        ...(id !== '' && { webhookId: id }),
      });
      return protocol.encodeDeliveries(page.deliveries, page.hasMore);
    }
    case 'webhook.retrieve-delivery':
      return protocol.encodeDelivery(await webhooks.delivery(owner, deliveryId));
    case 'webhook.redeliver':
      return protocol.encodeDelivery(await webhooks.redeliver(owner, deliveryId));
  }
}

/** @throws GatewayError `invalid_request` for a URL that webhooks may not lead to */
function checked<W extends { url?: string }>({ origins }: WebhookDeps, params: W): W {
  if (params.url !== undefined) checkCallback(params.url, origins, 'url');
  return params;
}

/** Waits until a worker has tried. @throws GatewayError `deadline_exceeded` when none has */
async function firstAttempt(
  { webhooks, testWaitMs, stopping }: WebhookDeps,
  reply: FastifyReply,
  owner: string,
  { id }: WebhookDelivery,
): Promise<WebhookDelivery> {
  const over = AbortSignal.any([clientDisconnected(reply), stopping, AbortSignal.timeout(testWaitMs)]);
  while (!over.aborted) {
    const delivery = await webhooks.delivery(owner, id);
    if (delivery.attempts.length > 0) return delivery;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new GatewayError(
    'deadline_exceeded',
    `The test has not been sent yet. GET /v1/webhooks/deliveries/${id} tells what became of it.`,
    { retryable: false },
  );
}
