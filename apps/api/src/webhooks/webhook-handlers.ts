import { GatewayError, type WebhookDelivery } from '@sluice/canonical';
import type { WebhookAction, WebhookEndpoint, WebhooksProtocol } from '@sluice/protocols';
import { startAfter } from '@sluice/webhooks';
import type { FastifyReply } from 'fastify';
import { noteTarget } from '../audit/record-changes.ts';
import type { EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import { checkSecretReader } from '../auth/console-caller.ts';
import { checkCallback } from '../http/public-url.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { requestOf } from './delivery-request.ts';
import type { WebhookDeps } from './webhook-deps.ts';

const POLL_MS = 100;

interface WebhookCall {
  protocol: WebhooksProtocol;
  /** The API key's name. */
  owner: string;
  /** Empty if the path has no webhook id. */
  id: string;
  /** Empty if the path has no delivery id. */
  deliveryId: string;
  body: unknown;
  query: unknown;
  reply: FastifyReply;
}

export function webhookHandlers(deps: WebhookDeps): EndpointHandlers<WebhookAction> {
  const { webhooks, origins } = deps;
  return {
    'webhook.create': handler(async ({ protocol, owner, body, reply }) => {
      const webhook = await webhooks.create(owner, checkUrl(origins, protocol.decodeWebhook(body)));
      noteTarget(reply.request, webhook);
      return protocol.encodeWebhook(webhook);
    }),
    'webhook.list': handler(async ({ protocol, owner, query }) => {
      const { after, limit } = protocol.decodeWebhookPage(query);
      const all = await webhooks.list(owner);
      const start = startAfter(all, after);
      return protocol.encodeWebhooks(all.slice(start, start + limit), start + limit < all.length);
    }),
    'webhook.retrieve': handler(async ({ protocol, owner, id }) =>
      protocol.encodeWebhook(await webhooks.find(owner, id)),
    ),
    'webhook.update': handler(async ({ protocol, owner, id, body }) =>
      protocol.encodeWebhook(await webhooks.update(owner, id, checkUrl(origins, protocol.decodeChange(body)))),
    ),
    'webhook.delete': handler(async ({ protocol, owner, id }) => {
      await webhooks.remove(owner, id);
      return protocol.encodeDeleted(id);
    }),
    'webhook.rotate': handler(async ({ protocol, owner, id, body }) =>
      protocol.encodeWebhook(await webhooks.rotate(owner, id, protocol.decodeRotation(body).keepsPrevious)),
    ),
    'webhook.test': handler(async ({ protocol, owner, id, body, reply }) => {
      const delivery = await webhooks.test(owner, id, protocol.decodeTest(body).type);
      return protocol.encodeTest(await firstAttempt(deps, reply, owner, delivery));
    }),
    'webhook.retrieve-secret': handler(async ({ protocol, owner, reply }) => {
      checkSecretReader(reply.request);
      return protocol.encodeSecret(await webhooks.keySecret(owner));
    }),
    'webhook.rotate-secret': handler(async ({ protocol, owner, body }) =>
      protocol.encodeSecret(await webhooks.rotateKeySecret(owner, protocol.decodeRotation(body).keepsPrevious)),
    ),
    'webhook.list-deliveries': handler(async ({ protocol, owner, id, query }) => {
      const paging = protocol.decodeDeliveryPage(query);
      const page = await webhooks.deliveries(owner, { ...paging, ...(id !== '' && { webhookId: id }) });
      return protocol.encodeDeliveries(page.deliveries, page.hasMore);
    }),
    'webhook.retrieve-delivery': handler(async ({ protocol, owner, deliveryId }) => {
      const delivery = await webhooks.delivery(owner, deliveryId);
      return protocol.encodeDelivery(delivery, await requestOf(deps, owner, delivery));
    }),
    'webhook.redeliver': handler(async ({ protocol, owner, deliveryId }) =>
      protocol.encodeDelivery(await webhooks.redeliver(owner, deliveryId)),
    ),
  };
}

function handler(serve: (call: WebhookCall) => Promise<unknown>): EndpointHandler<WebhookEndpoint> {
  return {
    serve: ({ endpoint: { protocol }, apiKey, request, reply }) => {
      const { body, query } = request;
      // The cast is safe because path parameters are strings.
      const { webhook_id: id = '', delivery_id: deliveryId = '' } = request.params as Record<string, string>;
      return serve({ protocol, owner: apiKey.name, id, deliveryId, body, query, reply });
    },
  };
}

/** @throws GatewayError `invalid_request` for a URL that is not allowed for webhooks */
function checkUrl<W extends { url?: string }>(origins: ReadonlySet<string>, params: W): W {
  if (params.url !== undefined) checkCallback(params.url, origins, 'url');
  return params;
}

/** @throws GatewayError `deadline_exceeded` if no worker attempts the delivery in time */
async function firstAttempt(
  { webhooks, testWaitMs, stopping }: Pick<WebhookDeps, 'webhooks' | 'testWaitMs' | 'stopping'>,
  reply: FastifyReply,
  owner: string,
  { id }: WebhookDelivery,
): Promise<WebhookDelivery> {
  const signal = AbortSignal.any([clientDisconnected(reply), stopping, AbortSignal.timeout(testWaitMs)]);
  while (!signal.aborted) {
    const delivery = await webhooks.delivery(owner, id);
    if (delivery.attempts.length > 0) return delivery;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new GatewayError(
    'deadline_exceeded',
    `The test has not been sent yet. Check its outcome with GET /v1/webhooks/deliveries/${id}.`,
    { retryable: false },
  );
}
