export type { AttemptContext, EventInfo } from './delivery/attempt-delivery.ts';
export { createWebhookWorker, type WebhookWorker } from './delivery/create-webhook-worker.ts';
export { eventObjectOf } from './delivery/event-object.ts';
export { startAfter } from './registry/start-after.ts';
export { forwardOutbox } from './delivery/forward-outbox.ts';
export { createWebhooks, type Webhooks } from './create-webhooks.ts';
export type { WebhookSettings } from './store/webhook-settings.ts';
export type { WebhookStats } from './store/webhook-stats.ts';
export type { StoredDelivery } from './store/stored-delivery.ts';
