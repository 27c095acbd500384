export type { AttemptContext, EventFacts } from './attempt-delivery.ts';
export { createWebhookWorker, type WebhookWorker } from './create-webhook-worker.ts';
export { createWebhooks, type Webhooks } from './create-webhooks.ts';
export type { WebhookSettings } from './webhook-settings.ts';
export type { WebhookStats } from './webhook-stats.ts';
