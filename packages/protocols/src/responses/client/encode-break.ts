import type { GatewayError } from '@sluice/canonical';
import { sseEvent } from '../../stream/sse.ts';
import { responseError } from '../wire/errors.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Ends a stream of an upstream that broke off: its own answer, failed, numbered on from its last event. Published clients
 * refuse an answer whose id changes on the way.
 */
export function encodeBreak(error: GatewayError, reply: JsonObject, lastSequenceNumber: number): string {
  const type = 'response.failed';
  const response = { ...reply, status: 'failed', error: responseError(error) };
  return sseEvent(type, { type, sequence_number: lastSequenceNumber + 1, response });
}
