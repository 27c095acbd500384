import { eventObjectOf, type StoredDelivery } from '@sluice/webhooks';
import type { WebhookDeps } from './webhook-deps.ts';

/** Returns the request of a delivery. Undefined if its webhook was deleted. */
export async function requestOf(
  { webhooks, engine, encodeEvent }: Pick<WebhookDeps, 'webhooks' | 'engine' | 'encodeEvent'>,
  owner: string,
  delivery: StoredDelivery,
): Promise<{ url: string; body?: string } | undefined> {
  const { webhookId, callbackUrl, taskId, eventId: id, type, eventAt: at, shape } = delivery;
  const known = webhookId === undefined ? undefined : (await webhooks.list(owner)).find((one) => one.id === webhookId);
  const url = callbackUrl ?? known?.url;
  if (url === undefined) return undefined;
  if (taskId === undefined) return { url };
  const subject = eventObjectOf(delivery) ?? (await engine.find(owner, taskId));
  return { url, ...(subject && { body: encodeEvent(subject, { id, type, at, shape }) }) };
}
