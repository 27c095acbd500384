import { WEBHOOK_EVENTS, type WebhookEvent } from '@sluice/canonical';
import type { z } from 'zod';
import { withoutBlanks } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { parseInput } from '../json/parse-input.ts';
import type { DecodedPage, DecodedWebhook } from '../contracts/webhooks-protocol.ts';
import {
  CreateWebhookSchema,
  ListDeliveriesSchema,
  ListWebhooksSchema,
  RotateSecretSchema,
  TestWebhookSchema,
  UpdateWebhookSchema,
} from './schema.ts';

/** @throws GatewayError `invalid_request` with the field's name */
export function decodeWebhook(fields: unknown): DecodedWebhook {
  const body = parseInput(CreateWebhookSchema, withoutBlanks(fields));
  const { url, name = '', enabled = true } = body;
  return { url, name, enabled, events: eventsOf(body) ?? [...WEBHOOK_EVENTS] };
}

/** @throws GatewayError `invalid_request` with the field's name */
export function decodeChange(fields: unknown): Partial<DecodedWebhook> {
  const body = parseInput(UpdateWebhookSchema, fields ?? {});
  const events = eventsOf(body);
  return {
    ...(body.url !== undefined && { url: body.url }),
    ...(body.name !== undefined && { name: body.name }),
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(events && { events }),
  };
}

/**
 * @param byDefault whether the previous secret stays valid if the client does not say
 * @throws GatewayError `invalid_request` with the field's name
 */
export function decodeRotation(fields: unknown, byDefault: boolean): { keepsPrevious: boolean } {
  const body = parseInput(RotateSecretSchema, withoutBlanks(fields));
  return { keepsPrevious: body.keep_previous ?? body.keep_old_secret_active_for_24_hours ?? byDefault };
}

/** @throws GatewayError `invalid_request` with the field's name */
export function decodeTest(fields: unknown): { type?: WebhookEvent } {
  const { event_type: type } = parseInput(TestWebhookSchema, withoutBlanks(fields));
  return { ...(type !== undefined && { type }) };
}

/** @throws GatewayError `invalid_request` with the field's name */
export function decodeWebhookPage(query: unknown): DecodedPage {
  return pageOf(parseInput(ListWebhooksSchema, query));
}

/** @throws GatewayError `invalid_request` with the field's name */
export function decodeDeliveryPage(query: unknown): DecodedPage {
  return pageOf(parseInput(ListDeliveriesSchema, query));
}

function pageOf({ after, limit }: z.output<typeof ListWebhooksSchema>): DecodedPage {
  return { limit, ...(after !== undefined && { after }) };
}

function eventsOf({
  events,
  event_types: types,
}: Pick<z.output<typeof UpdateWebhookSchema>, 'events' | 'event_types'>): WebhookEvent[] | undefined {
  if (events && types) throw invalidField('event_types', 'cannot be combined with events. Send one of them');
  const requested = events ?? types;
  return requested && WEBHOOK_EVENTS.filter((event) => requested.includes(event));
}
