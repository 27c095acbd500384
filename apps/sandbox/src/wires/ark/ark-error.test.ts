import { describe, expect, it } from 'vitest';
import { explainBody, formatArkError } from './ark-error.ts';

describe('formatArkError', () => {
  // Source: ModelArk docs, "Error codes".
  it.each([
    ['malformed', 400, 'InvalidParameter', 'BadRequest'],
    ['refused', 400, 'InvalidParameter', 'BadRequest'],
    ['moderation', 400, 'InputTextSensitiveContentDetected', 'BadRequest'],
    ['balance', 403, 'AccountOverdueError', 'Forbidden'],
    ['throttled', 429, 'RateLimitExceeded.EndpointRPMExceeded', 'TooManyRequests'],
    ['concurrency', 429, 'QuotaExceeded', 'TooManyRequests'],
    ['unavailable', 429, 'ServerOverloaded', 'TooManyRequests'],
    ['broken', 500, 'InternalServiceError', 'InternalServerError'],
    ['not_found', 404, 'ResourceNotFound', 'NotFound'],
    ['unknown_call', 404, 'NotFound', 'NotFound'],
  ] as const)('formats %s as %d %s', (fault, status, code, type) => {
    const error = formatArkError(fault, 'x');
    expect(error.status).toBe(status);
    const message = expect.stringMatching(/ Request id: req_1$/);
    expect(error.body('req_1')).toEqual({ error: { code, message, param: '', type } });
  });
});

it.each([
  ['missing', 'MissingParameter'],
  ['unknown', 'InvalidParameter'],
  ['invalid', 'InvalidParameter'],
] as const)('explainBody reports that a field is %s', (kind, code) => {
  const error = explainBody({ kind, field: 'duration', message: 'must be so' });
  const message = expect.stringContaining('`duration`');
  expect([error.status, error.body('')]).toMatchObject([400, { error: { code, param: 'duration', message } }]);
});
