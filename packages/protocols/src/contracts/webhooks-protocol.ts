import type { SigningSecret, Webhook, WebhookDelivery, WebhookEvent } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';

/** What a client says of a webhook. */
export interface DecodedWebhook {
  url: string;
  name: string;
  events: WebhookEvent[];
  enabled: boolean;
}

/** A page of whatever is listed. */
export interface DecodedPage {
  /** Id of the last one of the page before. */
  after?: string;
  /** 1–100 */
  limit: number;
}

/** How clients spell webhooks. Decoders throw `GatewayError('invalid_request')` naming the field. */
export interface WebhooksProtocol {
  name: string;
  decodeWebhook: (fields: unknown) => DecodedWebhook;
  /** What is to change; the rest stays. */
  decodeChange: (fields: unknown) => Partial<DecodedWebhook>;
  /** Whether the secret before stays good for a time. */
  decodeRotation: (fields: unknown) => { keepsPrevious: boolean };
  /** Which event is sent as a test; absent: the first that the webhook is told of. */
  decodeTest: (fields: unknown) => { type?: WebhookEvent };
  decodePage: (query: unknown) => DecodedPage;
  encodeWebhook: (webhook: Webhook & Partial<SigningSecret>) => unknown;
  encodeWebhooks: (webhooks: readonly Webhook[], hasMore: boolean) => unknown;
  encodeDeleted: (id: string) => unknown;
  encodeSecret: (secret: SigningSecret) => unknown;
  /** A test whose first attempt has been made. */
  encodeTest: (delivery: WebhookDelivery) => unknown;
  encodeDelivery: (delivery: WebhookDelivery) => unknown;
  encodeDeliveries: (deliveries: readonly WebhookDelivery[], hasMore: boolean) => unknown;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}
