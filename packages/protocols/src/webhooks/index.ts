export * from './endpoints.ts';
export { encodeDelivery as encodeWebhookDelivery, encodeWebhook } from './response.ts';
export {
  DeliveryPageSchema as WebhookDeliveryPageSchema,
  DeliverySchema as WebhookDeliverySchema,
  KeySecretSchema as WebhookSecretSchema,
  WebhookPageSchema,
  WebhookSchema,
  WebhookTestSchema,
  WebhookWithSecretSchema,
} from './schema.ts';
