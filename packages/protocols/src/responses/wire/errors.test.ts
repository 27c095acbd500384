import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeError, encodeError, failureError, readFailure, responseError } from './errors.ts';
import { ErrorSchema } from './schema.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // the table's own keys

describe('encodeError', () => {
  it.each(codes)('writes %s with all four fields that SDKs read', (code) => {
    const body = encodeError(new GatewayError(code, 'What is wrong.', { param: 'input' }));
    expect(ErrorSchema.parse(body)).toEqual(body);
    expect(body.error).toMatchObject({ message: 'What is wrong.', param: 'input' });
    expect(body.error.code).toBe(code === 'rate_limited' ? 'rate_limit_exceeded' : code);
  });

  it.each([
    ['invalid_request', 'invalid_request_error'],
    ['invalid_api_key', 'invalid_request_error'],
    ['model_not_allowed', 'permission_error'],
    ['rate_limited', 'rate_limit_error'],
    ['insufficient_quota', 'insufficient_quota'],
    ['provider_error', 'server_error'],
  ] as const)('maps %s to the type %s', (code, type) => {
    expect(encodeError(new GatewayError(code, 'x')).error).toMatchObject({ type, param: null });
  });

  it('hides the cause', () => {
    const error = new GatewayError('internal_error', 'Wrong.', { cause: new Error('redis://user:secret@host') });
    expect(JSON.stringify([encodeError(error), responseError(error)])).not.toContain('secret');
  });
});

describe('responseError', () => {
  it.each([
    ['context_length_exceeded', 'context_length_exceeded'],
    ['rate_limited', 'rate_limit_exceeded'],
    ['provider_overloaded', 'server_is_overloaded'],
    ['provider_quota', 'insufficient_quota'],
    ['content_policy', 'invalid_prompt'],
    ['provider_error', 'server_error'],
    ['internal_error', 'server_error'],
    ['invalid_encrypted_content', 'invalid_encrypted_content'],
  ] as const)('writes %s as %s', (code, wire) => {
    expect(responseError(new GatewayError(code, 'x'))).toEqual({ code: wire, message: 'x' });
  });
});

const decode = (status: number, body: unknown, headers: Record<string, string> = {}): GatewayError =>
  decodeError({ status, headers, body });
const said = (code: string | null, message = 'said', rest: object = {}): unknown => ({
  error: { message, code, ...rest },
});

describe('decodeError', () => {
  it.each([
    [400, said('context_length_exceeded'), 'context_length_exceeded'],
    [400, said(null, "This model's maximum context length is 8192 tokens."), 'context_length_exceeded'],
    [400, said('unsupported_parameter'), 'unsupported_parameter'],
    [400, said('invalid_encrypted_content'), 'invalid_encrypted_content'],
    [400, said('content_policy_violation'), 'content_policy'],
    [400, said('invalid_image_url'), 'invalid_request'],
    [400, said(null), 'invalid_request'],
    [401, said('invalid_api_key'), 'provider_auth'],
    [403, said(null), 'provider_auth'],
    [402, said(null), 'provider_quota'],
    [404, said('model_not_found'), 'model_not_found'],
    [404, said(null), 'provider_error'],
    [404, said('404', 'The model `secret-9` does not exist.', { type: 'NotFoundError' }), 'model_not_found'],
    [413, said(null), 'payload_too_large'],
    [429, said('insufficient_quota'), 'provider_quota'],
    [429, said(null, 'said', { type: 'insufficient_quota' }), 'provider_quota'],
    [429, said('rate_limit_exceeded'), 'rate_limited'],
    [429, 'slow down', 'rate_limited'],
    [500, said('server_error'), 'provider_error'],
    [502, '<html>', 'provider_error'],
    [503, said(null), 'provider_overloaded'],
    [529, undefined, 'provider_overloaded'],
  ] as const)('reads %i %j as %s', (status, body, code) => {
    expect(decode(status, body).code).toBe(code);
  });

  it.each([
    [said('context_length_exceeded'), 'context_length_exceeded'],
    [said('unsupported_parameter', 'said', { type: 'invalid_request_error' }), 'unsupported_parameter'],
    [said('invalid_value', 'said', { type: 'invalid_request_error' }), 'invalid_request'],
    [said('invalid_request'), 'invalid_request'],
    [said('invalid_prompt'), 'content_policy'],
    [said('payload_too_large'), 'payload_too_large'],
    [said(null, 'said', { type: 'rate_limit_error' }), 'rate_limited'],
    [said('429'), 'rate_limited'],
    [said(null, 'said', { type: 'overloaded_error' }), 'provider_overloaded'],
    [said(null, 'said', { type: 'authentication_error' }), 'provider_auth'],
    [said(null, 'prompt is too long'), 'context_length_exceeded'],
    [said('server_error', 'The context window is full.'), 'context_length_exceeded'],
    [said('deadline_exceeded'), 'provider_error'],
  ] as const)('without a status prefers the code, then the type, then the message: %j is %s', (body, code) => {
    expect(decode(0, body).code).toBe(code);
    expect(failureError(readFailure(body)).code).toBe(code);
  });

  it('treats an empty error as a retryable upstream error', () => {
    for (const body of [said(null), { error: null }, 'Oops.', undefined]) {
      expect(decode(0, body)).toMatchObject({ code: 'provider_error', retryable: true });
    }
  });

  it('passes on the upstream’s message and field', () => {
    const error = decode(400, said(null, 'Unknown parameter.', { param: 'text.format' }));
    expect(error).toMatchObject({ message: 'Unknown parameter.', param: 'text.format', retryable: false });
  });

  it('hides messages about the gateway’s key', () => {
    const error = decode(401, said('invalid_api_key', 'Incorrect API key provided: sk-abc'));
    expect(error.message).not.toContain('sk-abc');
    expect(decode(429, said('insufficient_quota', 'org-123 has no money')).message).not.toContain('org-123');
  });

  it('hides the upstream’s name of the model', () => {
    for (const [status, code] of [
      [400, 'model_not_found'],
      [404, 'model_not_found'],
      [404, null],
    ] as const) {
      const error = decode(status, said(code, 'The requested model `secret-9` does not exist.', { param: 'model' }));
      expect(error).toMatchObject({ code: 'model_not_found', message: 'The upstream does not know the model.' });
    }
    const failed = failureError({ code: 'model_not_found', message: 'The model `secret-9` does not exist.' });
    expect(failed.message).not.toContain('secret-9');
  });

  it('shortens the vendor’s message to one line', () => {
    const long = { message: 'bad\n'.repeat(500), param: 'p\nq'.repeat(500) };
    for (const error of [decode(400, { error: long }), failureError({ ...long, code: 'invalid_prompt' })]) {
      expect(error.message).toMatch(/^bad bad [^\n]{400,491}…$/);
      expect(error.param?.length).toBeLessThanOrEqual(500);
    }
  });

  it.each([
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after': '2' }, 2000],
    [{ 'x-ratelimit-reset-requests': '1m3s' }, 63_000],
    [{ 'x-ratelimit-reset-tokens': '20ms' }, 20],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads the retry delay from %j', (headers, retryAfterMs) => {
    const error = decode(429, said(null), headers);
    expect(error.retryAfterMs).toBe(retryAfterMs);
    expect(error.retryable).toBe(true);
  });

  it('marks a failing upstream as retryable, but not a missing one', () => {
    expect(decode(500, said(null)).retryable).toBe(true);
    expect(decode(404, said(null)).retryable).toBe(false);
  });
});
