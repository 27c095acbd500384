import { type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { classifyRefusal, classifyReported } from './attempt-error.ts';

function refusal(status: number, code: ErrorCode = 'provider_error') {
  return classifyRefusal(status, new GatewayError(code, 'The upstream said no.'));
}

describe('classifyRefusal', () => {
  it.each([302, 401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 529])('%i may be tried elsewhere', (status) => {
    expect(refusal(status).mayRetry).toBe(true);
  });

  it.each([400, 405, 410, 413, 415, 422, 451, 499])('%i may not', (status) => {
    expect(refusal(status).mayRetry).toBe(false);
  });

  it('counts only 5xx against the upstream; every other refusal but 429 shows that it is alive', () => {
    for (const status of [500, 502, 503, 504, 529]) {
      expect(refusal(status)).toMatchObject({ countsAsFailure: true, isAlive: false });
    }
    for (const status of [400, 401, 403, 404, 408, 413, 422]) {
      expect(refusal(status)).toMatchObject({ countsAsFailure: false, isAlive: true });
    }
    expect(refusal(429)).toMatchObject({ countsAsFailure: false, isAlive: false });
  });

  it.each(['provider_auth', 'provider_quota', 'rate_limited', 'provider_overloaded'] as const)(
    'a 400 that is the account’s trouble (%s) may be tried elsewhere',
    (code) => expect(refusal(400, code)).toMatchObject({ mayRetry: true, countsAsFailure: false }),
  );

  it.each(['content_policy', 'context_length_exceeded', 'payload_too_large'] as const)(
    'what lies with the request (%s) is not tried elsewhere, whatever the status',
    (code) => {
      expect(refusal(403, code).mayRetry).toBe(false);
      expect(refusal(500, code).mayRetry).toBe(false);
    },
  );

  it('keeps the error that the client would see', () => {
    const error = new GatewayError('provider_error', 'The upstream said no.');
    expect(classifyRefusal(500, error)).toMatchObject({ error, message: 'The upstream said no.' });
  });
});

const told = (code: ErrorCode) => classifyReported(new GatewayError(code, 'The upstream said no.'));

describe('classifyTold', () => {
  it.each([
    'invalid_request',
    'unsupported_parameter',
    'context_length_exceeded',
    'content_policy',
    'payload_too_large',
    'invalid_encrypted_content',
  ] as const)('what the client caused (%s) is told as it is, and shows that the upstream is well', (code) => {
    expect(told(code)).toMatchObject({ mayRetry: false, countsAsFailure: false, isAlive: true, error: { code } });
  });

  it.each(['provider_auth', 'provider_quota', 'model_not_found'] as const)(
    'what lies with the account (%s) may be tried elsewhere, and shows that the upstream is well',
    (code) => expect(told(code)).toMatchObject({ mayRetry: true, countsAsFailure: false, isAlive: true }),
  );

  it('a rate limit may be tried elsewhere and says nothing about the upstream', () => {
    expect(told('rate_limited')).toMatchObject({ mayRetry: true, countsAsFailure: false, isAlive: false });
  });

  it.each(['provider_error', 'provider_overloaded', 'deadline_exceeded'] as const)(
    'the upstream’s trouble (%s) may be tried elsewhere and counts',
    (code) => expect(told(code)).toMatchObject({ mayRetry: true, countsAsFailure: true, isAlive: false }),
  );

  it('a bug of ours says nothing about the upstream', () => {
    expect(told('internal_error')).toMatchObject({ mayRetry: false, countsAsFailure: false, isAlive: false });
  });
});
