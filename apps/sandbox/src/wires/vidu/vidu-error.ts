import { WireError } from '../../http/wire-error.ts';
import type { BodyError } from '../../schema/check-body.ts';
import { errorTable } from '../media/format-error.ts';

/** Formats `{code, reason, message, metadata}`, with the HTTP status as `code` (Vidu docs, "Error Code"). */
export function viduError(status: number, reason: string, message: string): WireError {
  return new WireError(status, message, (requestId) => ({
    code: status,
    reason,
    message,
    metadata: { trace_id: requestId },
  }));
}

export function fieldInvalid(field: string): WireError {
  return viduError(400, 'FieldInvalid', `invalid field: ${field}`);
}

export function fieldUnwanted(field: string): WireError {
  return viduError(400, 'FieldUnwanted', `unwanted field: ${field}`);
}

export function itemCountOutOfRange(field: string): WireError {
  return viduError(400, 'FieldItemCountOutOfRange', `field item count out of range: ${field}`);
}

export function fieldMissing(field: string): WireError {
  return viduError(400, 'FieldLacking', `field is missing or empty: ${field}`);
}

export function explainBody({ kind, field }: BodyError): WireError {
  return { missing: fieldMissing, unknown: fieldUnwanted, invalid: fieldInvalid }[kind](field);
}

export const formatViduError = errorTable(viduError, (detail) => ({
  malformed: [400, 'BadRequest', `bad request: ${detail}`],
  refused: fieldInvalid('prompt'),
  moderation: [400, 'AuditSubmitIllegal', 'submit is illegal'],
  // The vendor returns 400, although the account is the cause and not the request.
  balance: [400, 'CreditInsufficient', 'insufficient credits'],
  throttled: [429, 'TooManyRequests', 'too many requests'],
  concurrency: [429, 'QuotaExceeded', 'quota exceeded'],
  // The vendor uses status 429 for overload too, even if the request rate is below the limit.
  unavailable: [429, 'SystemThrottling', 'system is throttling'],
  broken: [500, 'InternalServiceFailure', 'internal service failure'],
  not_found: [404, 'TaskNotFound', `task not found ${detail}`.trim()],
  unknown_call: [404, 'NotFound', `not found: ${detail}`],
}));
