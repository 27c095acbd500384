import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeError, encodeError } from './errors.ts';
import { MessagesErrorSchema } from './schema.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.

const tooLong = (text: string) => encodeError(new GatewayError('context_length_exceeded', text)).error.message;

describe('encodeError', () => {
  it.each(codes)('encodes %s as the SDK reads it', (code) => {
    const body = encodeError(new GatewayError(code, 'What is wrong.'), 'req_1');
    expect(MessagesErrorSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ type: 'error', request_id: 'req_1', error: { details: { error_code: code } } });
  });

  it.each([
    ['invalid_request', 'invalid_request_error'],
    ['unsupported_parameter', 'invalid_request_error'],
    ['content_policy', 'invalid_request_error'],
    ['invalid_api_key', 'authentication_error'],
    ['model_not_allowed', 'permission_error'],
    ['model_not_found', 'not_found_error'],
    ['task_final', 'conflict_error'],
    ['payload_too_large', 'request_too_large'],
    ['rate_limited', 'rate_limit_error'],
    ['insufficient_quota', 'rate_limit_error'],
    ['internal_error', 'api_error'],
    ['provider_error', 'api_error'],
    ['provider_auth', 'api_error'],
    ['no_upstream', 'api_error'],
    ['provider_overloaded', 'overloaded_error'],
    ['deadline_exceeded', 'timeout_error'],
  ] as const)('gives %s the type %s', (code, type) => {
    expect(encodeError(new GatewayError(code, 'x')).error.type).toBe(type);
  });

  it('starts a context-length message with the text that Claude Code detects', () => {
    expect(tooLong('300 tokens > 200 maximum')).toBe('prompt is too long: 300 tokens > 200 maximum');
    expect(tooLong('prompt is too long: 3 > 2')).toBe('prompt is too long: 3 > 2');
  });

  it('omits an absent request id and never exposes the cause', () => {
    const error = new GatewayError('internal_error', 'Wrong.', { cause: new Error('secret') });
    expect(encodeError(error).request_id).toBeUndefined();
    expect(JSON.stringify(encodeError(error))).not.toContain('secret');
  });
});

function decode(status: number, type?: string, message = 'Said.', headers: Record<string, string> = {}) {
  const body = type === undefined ? 'Bad gateway' : { type: 'error', error: { type, message } };
  return decodeError({ status, headers, body });
}

describe('decodeError', () => {
  it.each([
    [400, 'invalid_request_error', 'Said.', 'invalid_request'],
    [400, 'invalid_request_error', 'prompt is too long: 3 > 2', 'context_length_exceeded'],
    [
      400,
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 3 > 2',
      'context_length_exceeded',
    ],
    [400, 'invalid_request_error', 'Output blocked by content filtering policy', 'content_policy'],
    [400, 'invalid_request_error', 'Your credit balance is too low', 'provider_quota'],
    [401, 'authentication_error', 'x', 'provider_auth'],
    [402, 'billing_error', 'x', 'provider_quota'],
    [403, 'permission_error', 'x', 'provider_auth'],
    [404, 'not_found_error', 'model: x', 'model_not_found'],
    [413, 'request_too_large', 'x', 'payload_too_large'],
    [429, 'rate_limit_error', 'x', 'rate_limited'],
    [500, 'api_error', 'x', 'provider_error'],
    [504, 'timeout_error', 'x', 'deadline_exceeded'],
    [529, 'overloaded_error', 'x', 'provider_overloaded'],
    [401, undefined, 'x', 'provider_auth'],
    [403, undefined, 'x', 'provider_auth'],
    [503, undefined, 'x', 'provider_overloaded'],
    [529, undefined, 'x', 'provider_overloaded'],
    [502, undefined, 'x', 'provider_error'],
    [418, undefined, 'x', 'provider_error'],
  ])('decodes %i %s "%s" as %s', (status, type, message, code) => {
    expect(decode(status, type, message).code).toBe(code);
  });

  it.each([
    [{ type: 'invalid_request_error', message: 'Said.' }, 'invalid_request'],
    [{ type: 'invalid_request_error', message: 'prompt is too long: 3 > 2' }, 'context_length_exceeded'],
    [{ message: 'prompt is too long: 3 > 2' }, 'context_length_exceeded'],
    [{ message: 'Output blocked by content filtering policy' }, 'content_policy'],
    [{ type: 'rate_limit_error', message: 'x' }, 'rate_limited'],
    [{ type: 'overloaded_error', message: 'x' }, 'provider_overloaded'],
    [{ type: 'authentication_error', message: 'x' }, 'provider_auth'],
    [{ type: 'api_error', message: 'the context window is on fire' }, 'provider_error'],
  ])('decodes an error without a status by its type, then by its message: %j is %s', (error, code) => {
    expect(decodeError({ status: 0, headers: {}, body: { type: 'error', error } }).code).toBe(code);
  });

  it('treats an unreadable error as a retryable upstream error', () => {
    for (const body of [{ type: 'error', error: {} }, { type: 'error', error: { message: 'Oops.' } }, 'Oops.']) {
      const error = decodeError({ status: 0, headers: {}, body });
      expect(error).toMatchObject({ code: 'provider_error', retryable: true });
    }
  });

  it("decodes a spending limit as the account's quota", () => {
    const error = { type: 'rate_limit_error', message: 'x', details: { error_code: 'enforced_spend_limit_reached' } };
    expect(decodeError({ status: 429, headers: {}, body: { type: 'error', error } }).code).toBe('provider_quota');
  });

  it("does not expose the gateway's account problems", () => {
    for (const error of [decode(401, 'authentication_error', 'key sk-1'), decode(402, 'billing_error', 'org o-1')]) {
      expect(error.message).not.toMatch(/sk-1|o-1/);
    }
    expect(decode(400, 'invalid_request_error', 'Be precise.').message).toBe('Be precise.');
    expect(decode(502).message).toBe('The upstream returned HTTP 502.');
    expect(decode(200, 'api_error', '').message).toBe('The upstream failed without a reason. Retry the request.');
  });

  it("never exposes the upstream's model name", () => {
    for (const status of [404, 200]) {
      const error = decode(status, 'not_found_error', 'model: claude-secret-9');
      expect(error).toMatchObject({
        code: 'model_not_found',
        message: "The upstream does not serve this model. Contact the gateway's operator.",
      });
    }
  });

  it("forwards the vendor's message as one short line", () => {
    for (const type of ['invalid_request_error', 'api_error', 'overloaded_error']) {
      expect(decode(200, type, 'bad\n'.repeat(500)).message).toMatch(/^bad bad [^\n]{400,491}…$/);
    }
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '150', 'retry-after': '7' }, 150],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' }, 30_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads the retry delay from %j', (headers, expected) => {
    expect(decode(429, 'rate_limit_error', 'x', headers as Record<string, string>).retryAfterMs).toBe(expected);
  });

  it.each([
    [500, true],
    [502, true],
    [409, true],
    [418, false],
    [401, false],
    [529, true],
    [400, false],
  ])('marks %i as retryable or not', (status, retryable) => {
    expect(decode(status).retryable).toBe(retryable);
  });
});
