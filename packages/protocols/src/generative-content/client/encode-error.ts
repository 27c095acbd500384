import type { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import type { ErrorSchema } from '../wire/schema.ts';

/** Error codes and names by HTTP status. Any other status is encoded as an invalid request. */
const STATUSES: Readonly<Record<number, readonly [code: number, status: string]>> = {
  401: [401, 'UNAUTHENTICATED'],
  403: [403, 'PERMISSION_DENIED'],
  404: [404, 'NOT_FOUND'],
  409: [409, 'ABORTED'],
  416: [416, 'OUT_OF_RANGE'],
  429: [429, 'RESOURCE_EXHAUSTED'],
  500: [500, 'INTERNAL'],
  502: [502, 'INTERNAL'],
  503: [503, 'UNAVAILABLE'],
  504: [504, 'DEADLINE_EXCEEDED'],
};
const RPC = 'type.googleapis.com/google.rpc.';

/**
 * Encodes an error as Google's APIs do. The details hold the retry delay, because this protocol has no `Retry-After`.
 */
export function encodeError(error: GatewayError): z.output<typeof ErrorSchema> {
  const [code, status] = googleStatus(error);
  const details = [...authDetails(error), ...fieldDetails(error), ...retryDetails(error)];
  return { error: { code, message: googleMessage(error), status, details: details.length > 0 ? details : undefined } };
}

function googleStatus({ code, status }: GatewayError): readonly [number, string] {
  if (code === 'content_policy') return [400, 'FAILED_PRECONDITION'];
  return STATUSES[status] ?? [status, 'INVALID_ARGUMENT'];
}

/** Adds Google's wording to the error for an oversized prompt, because clients search the message for it. */
function googleMessage({ code, message }: GatewayError): string {
  const sentence = 'The input token count exceeds the maximum number of tokens allowed.';
  return code !== 'context_length_exceeded' || /input token count/i.test(message) ? message : `${sentence} ${message}`;
}

function authDetails({ code }: GatewayError): Detail[] {
  return code === 'invalid_api_key' ? [{ '@type': `${RPC}ErrorInfo`, reason: 'API_KEY_INVALID' }] : [];
}

function fieldDetails({ param, message }: GatewayError): Detail[] {
  if (param === undefined) return [];
  return [{ '@type': `${RPC}BadRequest`, fieldViolations: [{ field: param, description: message }] }];
}

function retryDetails({ retryAfterMs }: GatewayError): Detail[] {
  if (retryAfterMs === undefined) return [];
  return [{ '@type': `${RPC}RetryInfo`, retryDelay: `${Math.max(0, Math.round(retryAfterMs)) / 1000}s` }];
}

type Detail = { '@type': string } & Record<string, unknown>;
