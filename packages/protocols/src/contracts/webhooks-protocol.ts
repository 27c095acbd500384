import type { SigningSecret, Webhook, WebhookDelivery, WebhookEvent } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';

export interface DecodedWebhook {
  url: string;
  name: string;
  events: WebhookEvent[];
  enabled: boolean;
}

export interface DecodedPage {
  after?: string;
  limit: number;
}

/** A webhooks protocol. Decoders throw `GatewayError('invalid_request')` with the field's name. */
export interface WebhooksProtocol {
  name: string;
  decodeWebhook: (fields: unknown) => DecodedWebhook;
  decodeChange: (fields: unknown) => Partial<DecodedWebhook>;
  /** Decodes whether the previous secret stays valid for some time. */
  decodeRotation: (fields: unknown) => { keepsPrevious: boolean };
  /** Decodes the event type of a test delivery. If omitted, the webhook's first event type is used. */
  decodeTest: (fields: unknown) => { type?: WebhookEvent };
  decodeWebhookPage: (query: unknown) => DecodedPage;
  decodeDeliveryPage: (query: unknown) => DecodedPage;
  encodeWebhook: (webhook: Webhook & Partial<SigningSecret>) => unknown;
  encodeWebhooks: (webhooks: readonly Webhook[], hasMore: boolean) => unknown;
  encodeDeleted: (id: string) => unknown;
  encodeSecret: (secret: SigningSecret) => unknown;
  encodeTest: (delivery: WebhookDelivery) => unknown;
  encodeDelivery: (delivery: WebhookDelivery, request?: { url: string; body?: string | undefined }) => unknown;
  encodeDeliveries: (deliveries: readonly WebhookDelivery[], hasMore: boolean) => unknown;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}
