export * from './endpoints.ts';
export { encodeDelivery as encodeWebhookDelivery } from './response.ts';
export { DeliverySchema as WebhookDeliverySchema } from './schema.ts';
