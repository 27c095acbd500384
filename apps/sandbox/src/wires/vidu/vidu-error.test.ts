import { expect, it } from 'vitest';
import { explainBody, formatViduError } from './vidu-error.ts';

// Source: Vidu docs, "Error Code".
it.each([
  ['malformed', 400, 'BadRequest'],
  ['refused', 400, 'FieldInvalid'],
  ['moderation', 400, 'AuditSubmitIllegal'],
  ['balance', 400, 'CreditInsufficient'],
  ['throttled', 429, 'TooManyRequests'],
  ['concurrency', 429, 'QuotaExceeded'],
  ['unavailable', 429, 'SystemThrottling'],
  ['broken', 500, 'InternalServiceFailure'],
  ['not_found', 404, 'TaskNotFound'],
  ['unknown_call', 404, 'NotFound'],
] as const)('%s is %d %s', (fault, status, reason) => {
  const error = formatViduError(fault, 'x');
  expect(error.status).toBe(status);
  const { message } = error;
  expect(error.body('req_1')).toEqual({ code: status, reason, message, metadata: { trace_id: 'req_1' } });
});

it.each([
  ['missing', 'FieldLacking', 'field is missing or empty: prompt'],
  ['unknown', 'FieldUnwanted', 'unwanted field: prompt'],
  ['invalid', 'FieldInvalid', 'invalid field: prompt'],
] as const)('a field that is %s is %s', (kind, reason, message) => {
  const error = explainBody({ kind, field: 'prompt', message: 'must be so' });
  expect([error.status, error.body('')]).toMatchObject([400, { reason, message }]);
});
