import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeError } from './decode-error.ts';
import { encodeError } from '../client/encode-error.ts';

const decode = (status: number, error: Record<string, unknown>, headers = {}) =>
  decodeError({ status, headers, body: { error: { code: status, ...error } } });

describe('decodeError', () => {
  it.each([
    [400, { status: 'INVALID_ARGUMENT', message: 'Unknown name "x"' }, 'invalid_request'],
    [
      400,
      { status: 'INVALID_ARGUMENT', message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] },
      'provider_auth',
    ],
    [401, { status: 'UNAUTHENTICATED' }, 'provider_auth'],
    [403, { status: 'PERMISSION_DENIED' }, 'provider_auth'],
    [
      400,
      {
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
      },
      'context_length_exceeded',
    ],
    [404, { status: 'NOT_FOUND', message: 'models/x is not found for API version v1beta' }, 'model_not_found'],
    [404, { status: 'NOT_FOUND', message: 'File abc not found' }, 'invalid_request'],
    [429, { status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota' }, 'rate_limited'],
    [429, { status: 'RESOURCE_EXHAUSTED', message: 'Your prepayment credits are depleted.' }, 'provider_quota'],
    [400, { status: 'FAILED_PRECONDITION', message: 'Please enable billing' }, 'provider_quota'],
    [400, { status: 'FAILED_PRECONDITION', message: 'User location is not supported' }, 'provider_error'],
    [500, { status: 'INTERNAL' }, 'provider_error'],
    [503, { status: 'UNAVAILABLE', message: 'The model is overloaded.' }, 'provider_overloaded'],
    [504, { status: 'DEADLINE_EXCEEDED' }, 'deadline_exceeded'],
  ])('decodes %d %j as %s', (status, error, code) => {
    expect(decode(status, error).code).toBe(code);
  });

  it.each([
    [{ status: 'INVALID_ARGUMENT', message: 'Unknown name "x"' }, 'invalid_request'],
    [{ status: 'INVALID_ARGUMENT', message: 'The token count exceeds it' }, 'context_length_exceeded'],
    [{ code: 400, message: 'Bad.' }, 'invalid_request'],
    [{ code: '429', message: 'x' }, 'rate_limited'],
    [{ status: 'OUT_OF_RANGE', message: 'x' }, 'invalid_request'],
    [{ status: 'UNAUTHENTICATED', message: 'x' }, 'provider_auth'],
    [{ status: 'PERMISSION_DENIED', message: 'x' }, 'provider_auth'],
    [{ status: 'NOT_FOUND', message: 'models/x is not found' }, 'model_not_found'],
    [{ status: 'RESOURCE_EXHAUSTED', message: 'x' }, 'rate_limited'],
    [{ status: 'FAILED_PRECONDITION', message: 'Refused by policy' }, 'content_policy'],
    [{ status: 'UNAVAILABLE', message: 'x' }, 'provider_overloaded'],
    [{ status: 'DEADLINE_EXCEEDED', message: 'x' }, 'deadline_exceeded'],
    [{ status: 'INTERNAL', message: 'x' }, 'provider_error'],
  ])('decodes an error without an HTTP status by its number and status: %j is %s', (error, code) => {
    const decoded = decodeError({ status: 0, headers: {}, body: { error } });
    expect(decoded.code).toBe(code);
    expect(decoded.message).not.toMatch(/status 0/);
  });

  it('treats an unreadable error as a retryable upstream error', () => {
    for (const body of [{ error: {} }, { error: { message: 'Oops.' } }, { error: 'Oops.' }, 'Oops.']) {
      const decoded = decodeError({ status: 0, headers: {}, body });
      expect(decoded).toMatchObject({ code: 'provider_error', retryable: true });
      expect(decoded.message).not.toContain('status');
    }
  });

  it('reads the retry delay from the details, then from the header', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3.5s' }];
    expect(decode(429, { status: 'RESOURCE_EXHAUSTED', details }).retryAfterMs).toBe(3500);
    expect(decode(503, { status: 'UNAVAILABLE' }, { 'retry-after': '2' }).retryAfterMs).toBe(2000);
    expect(decode(503, { status: 'UNAVAILABLE' }).retryAfterMs).toBeUndefined();
  });

  it('reads the array of a JSON stream, and text', () => {
    const error = { code: 404, status: 'NOT_FOUND', message: 'model x is not found' };
    expect(decodeError({ status: 404, headers: {}, body: [{ error }] }).code).toBe('model_not_found');
    expect(decodeError({ status: 404, headers: {}, body: '<html>' }).code).toBe('provider_error');
    expect(decodeError({ status: 502, headers: {}, body: '<html>' })).toMatchObject({
      code: 'provider_error',
      retryable: true,
    });
    expect(decodeError({ status: 413, headers: {}, body: '' }).code).toBe('payload_too_large');
  });

  it("hides links and everything about the gateway's account", () => {
    const decoded = decode(400, { status: 'INVALID_ARGUMENT', message: 'Bad. See https://ai.google.dev/x?project=42' });
    expect(decoded.message).toBe('Bad. See');
    expect(decode(403, { status: 'PERMISSION_DENIED', message: 'Project 42 has no access' }).message).not.toContain(
      '42',
    );
  });

  it("forwards the vendor's message as one short line", () => {
    for (const status of ['INVALID_ARGUMENT', 'NOT_FOUND']) {
      const { message } = decode(400, { status, message: 'bad https://a.b/c\n'.repeat(500) });
      expect(message).toMatch(/^bad bad [^\n]{400,491}…$/);
    }
  });

  it.each(['rate_limited', 'content_policy', 'context_length_exceeded', 'deadline_exceeded'] as const)(
    'decodes %s from another Sluice gateway',
    (code) => {
      const body = encodeError(new GatewayError(code, 'The model or the policy refused.'));
      expect(decodeError({ status: body.error.code, headers: {}, body }).code).toBe(code);
    },
  );
});
