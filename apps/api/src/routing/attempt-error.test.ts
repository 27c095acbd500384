import { type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { classifyRefusal, classifyReported } from './attempt-error.ts';

function refusal(status: number, code: ErrorCode = 'provider_error') {
  return classifyRefusal(status, new GatewayError(code, 'The upstream said no.'));
}

describe('classifyRefusal', () => {
  it.each([302, 401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 529])('%i allows a fallback', (status) => {
    expect(refusal(status).mayRetry).toBe(true);
  });

  it.each([400, 405, 410, 413, 415, 422, 451, 499])('%i allows no fallback', (status) => {
    expect(refusal(status).mayRetry).toBe(false);
  });

  it('counts only 5xx as failures; any other rejection except 429 shows that the upstream is alive', () => {
    for (const status of [500, 502, 503, 504, 529]) {
      expect(refusal(status)).toMatchObject({ countsAsFailure: true, isAlive: false });
    }
    for (const status of [400, 401, 403, 404, 408, 413, 422]) {
      expect(refusal(status)).toMatchObject({ countsAsFailure: false, isAlive: true });
    }
    expect(refusal(429)).toMatchObject({ countsAsFailure: false, isAlive: false });
  });

  it.each(['provider_auth', 'provider_quota', 'rate_limited', 'provider_overloaded'] as const)(
    'a 400 caused by the account (%s) allows a fallback',
    (code) => expect(refusal(400, code)).toMatchObject({ mayRetry: true, countsAsFailure: false }),
  );

  it.each(['content_policy', 'context_length_exceeded', 'payload_too_large'] as const)(
    'an error caused by the request (%s) allows no fallback, for any status',
    (code) => {
      expect(refusal(403, code).mayRetry).toBe(false);
      expect(refusal(500, code).mayRetry).toBe(false);
    },
  );

  it.each([503, 429])('a final %i allows no fallback if it is a server error', (status) => {
    const error = new GatewayError('provider_overloaded', 'The upstream said no.');
    expect(classifyRefusal(status, error, true).mayRetry).toBe(status === 429);
  });

  it('keeps the error for the client', () => {
    const error = new GatewayError('provider_error', 'The upstream said no.');
    expect(classifyRefusal(500, error)).toMatchObject({ error, message: 'The upstream said no.' });
  });
});

const classified = (code: ErrorCode) => classifyReported(new GatewayError(code, 'The upstream said no.'));

describe('classifyReported', () => {
  it.each([
    'invalid_request',
    'unsupported_parameter',
    'context_length_exceeded',
    'content_policy',
    'payload_too_large',
    'invalid_encrypted_content',
  ] as const)('an error caused by the client (%s) is passed on and shows that the upstream is alive', (code) => {
    expect(classified(code)).toMatchObject({ mayRetry: false, countsAsFailure: false, isAlive: true, error: { code } });
  });

  it.each(['provider_auth', 'provider_quota', 'model_not_found'] as const)(
    'an error caused by the account (%s) allows a fallback and shows that the upstream is alive',
    (code) => expect(classified(code)).toMatchObject({ mayRetry: true, countsAsFailure: false, isAlive: true }),
  );

  it('a rate limit allows a fallback and leaves the circuit breaker unchanged', () => {
    expect(classified('rate_limited')).toMatchObject({ mayRetry: true, countsAsFailure: false, isAlive: false });
  });

  it.each(['provider_error', 'provider_overloaded', 'deadline_exceeded'] as const)(
    'an error caused by the upstream (%s) allows a fallback and counts as a failure',
    (code) => expect(classified(code)).toMatchObject({ mayRetry: true, countsAsFailure: true, isAlive: false }),
  );

  it('an internal error leaves the circuit breaker unchanged', () => {
    expect(classified('internal_error')).toMatchObject({ mayRetry: false, countsAsFailure: false, isAlive: false });
  });
});
