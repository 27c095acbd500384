import type { GatewayError } from '@sluice/canonical';
import { sseEvent } from '../../stream/sse.ts';
import { responseError } from '../wire/errors.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Ends an interrupted relayed stream with an event that contains the upstream's own response, marked as failed, and has
 * the next sequence number. Published clients reject a response whose id changes.
 */
export function encodeBreak(error: GatewayError, lastResponse: JsonObject, lastSequenceNumber: number): string {
  const type = 'response.failed';
  const response = { ...lastResponse, status: 'failed', error: responseError(error) };
  return sseEvent(type, { type, sequence_number: lastSequenceNumber + 1, response });
}
