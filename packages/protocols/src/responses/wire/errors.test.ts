import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeError, encodeError, failureError, readFailure, responseError } from './errors.ts';
import { ErrorSchema } from './schema.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.

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
const errorBody = (code: string | null, message = 'some message', rest: object = {}): unknown => ({
  error: { message, code, ...rest },
});

describe('decodeError', () => {
  it.each([
    [400, errorBody('context_length_exceeded'), 'context_length_exceeded'],
    [400, errorBody(null, "This model's maximum context length is 8192 tokens."), 'context_length_exceeded'],
    [400, errorBody('unsupported_parameter'), 'unsupported_parameter'],
    [400, errorBody('invalid_encrypted_content'), 'invalid_encrypted_content'],
    [400, errorBody('content_policy_violation'), 'content_policy'],
    [400, errorBody('content_filter'), 'content_policy'],
    [404, errorBody('DeploymentNotFound', 'The API deployment does not exist.'), 'model_not_found'],
    [429, errorBody('429', 'Exceeded the rate limit, see aka.ms/oai/quotaincrease.'), 'rate_limited'],
    [400, errorBody('invalid_image_url'), 'invalid_request'],
    [400, errorBody(null), 'invalid_request'],
    [401, errorBody('invalid_api_key'), 'provider_auth'],
    [403, errorBody(null), 'provider_auth'],
    [402, errorBody(null), 'provider_quota'],
    [404, errorBody('model_not_found'), 'model_not_found'],
    [404, errorBody(null), 'provider_error'],
    [404, errorBody('404', 'The model `secret-9` does not exist.', { type: 'NotFoundError' }), 'model_not_found'],
    [413, errorBody(null), 'payload_too_large'],
    [429, errorBody('insufficient_quota'), 'provider_quota'],
    [429, errorBody(null, 'some message', { type: 'insufficient_quota' }), 'provider_quota'],
    [429, errorBody('rate_limit_exceeded'), 'rate_limited'],
    [429, 'slow down', 'rate_limited'],
    [500, errorBody('server_error'), 'provider_error'],
    [502, '<html>', 'provider_error'],
    [503, errorBody(null), 'provider_overloaded'],
    [529, undefined, 'provider_overloaded'],
  ] as const)('reads %i %j as %s', (status, body, code) => {
    expect(decode(status, body).code).toBe(code);
  });

  it.each([
    [errorBody('context_length_exceeded'), 'context_length_exceeded'],
    [errorBody('unsupported_parameter', 'some message', { type: 'invalid_request_error' }), 'unsupported_parameter'],
    [errorBody('invalid_value', 'some message', { type: 'invalid_request_error' }), 'invalid_request'],
    [errorBody('invalid_request'), 'invalid_request'],
    [errorBody('invalid_prompt'), 'content_policy'],
    [errorBody('payload_too_large'), 'payload_too_large'],
    [errorBody(null, 'some message', { type: 'rate_limit_error' }), 'rate_limited'],
    [errorBody('429'), 'rate_limited'],
    [errorBody(null, 'some message', { type: 'overloaded_error' }), 'provider_overloaded'],
    [errorBody(null, 'some message', { type: 'authentication_error' }), 'provider_auth'],
    [errorBody(null, 'prompt is too long'), 'context_length_exceeded'],
    [errorBody('server_error', 'The context window is full.'), 'context_length_exceeded'],
    [errorBody('deadline_exceeded'), 'provider_error'],
  ] as const)('without a status prefers the code, then the type, then the message: %j is %s', (body, code) => {
    expect(decode(0, body).code).toBe(code);
    expect(failureError(readFailure(body)).code).toBe(code);
  });

  it('treats an empty error as a retryable upstream error', () => {
    for (const body of [errorBody(null), { error: null }, 'Oops.', undefined]) {
      expect(decode(0, body)).toMatchObject({ code: 'provider_error', retryable: true });
    }
  });

  it('forwards the upstream’s message and field', () => {
    const error = decode(400, errorBody(null, 'Unknown parameter.', { param: 'text.format' }));
    expect(error).toMatchObject({ message: 'Unknown parameter.', param: 'text.format', retryable: false });
  });

  it('hides messages about the gateway’s key', () => {
    const error = decode(401, errorBody('invalid_api_key', 'Incorrect API key provided: sk-abc'));
    expect(error.message).not.toContain('sk-abc');
    expect(decode(429, errorBody('insufficient_quota', 'org-123 has no money')).message).not.toContain('org-123');
  });

  it('hides the upstream’s model name', () => {
    for (const [status, code] of [
      [400, 'model_not_found'],
      [404, 'model_not_found'],
      [404, null],
    ] as const) {
      const error = decode(
        status,
        errorBody(code, 'The requested model `secret-9` does not exist.', { param: 'model' }),
      );
      expect(error).toMatchObject({
        code: 'model_not_found',
        message: "The upstream does not serve this model. Contact the gateway's operator.",
      });
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
    const error = decode(429, errorBody(null), headers);
    expect(error.retryAfterMs).toBe(retryAfterMs);
    expect(error.retryable).toBe(true);
  });

  it('marks a failing upstream as retryable, but not a missing one', () => {
    expect(decode(500, errorBody(null)).retryable).toBe(true);
    expect(decode(404, errorBody(null)).retryable).toBe(false);
  });
});
