import { ERROR_STATUS, GatewayError, type ErrorCode } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeError, decodeInnerError, encodeError } from './errors.ts';
import { ChatErrorSchema } from './schema.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.

describe('encodeError', () => {
  it.each(codes)('writes %s with all four fields that SDKs read', (code) => {
    const body = encodeError(new GatewayError(code, 'What is wrong.', { param: 'n', cause: 'secret' }));
    expect(ChatErrorSchema.parse(body)).toEqual(body);
    expect(body.error).toMatchObject({ message: 'What is wrong.', param: 'n' });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('uses the vendor’s code for too many requests', () => {
    const { error } = encodeError(new GatewayError('rate_limited', 'x'));
    expect(error).toEqual({ message: 'x', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' });
  });

  it('uses the vendor’s type and code for an exhausted budget', () => {
    const { error } = encodeError(new GatewayError('insufficient_quota', 'x'));
    expect(error).toEqual({ message: 'x', type: 'insufficient_quota', param: null, code: 'insufficient_quota' });
  });
});

const decode = (status: number, error: unknown, headers: Record<string, string> = {}) =>
  decodeError({ status, headers, body: { error } });

describe('decodeError', () => {
  it.each([
    [400, { message: 'bad', param: 'top_p' }, 'invalid_request'],
    [400, { message: 'x', code: 'context_length_exceeded' }, 'context_length_exceeded'],
    [400, { message: "This model's maximum context length is 8192 tokens." }, 'context_length_exceeded'],
    [400, { message: 'prompt is too long: 9 tokens > 8 maximum' }, 'context_length_exceeded'],
    [413, { message: 'the input token count (9) exceeds the maximum' }, 'context_length_exceeded'],
    [400, { message: 'x', code: 'unsupported_parameter' }, 'unsupported_parameter'],
    [400, { message: 'x', code: 'content_policy_violation' }, 'content_policy'],
    [401, { message: 'Incorrect API key provided: sk-abc' }, 'provider_auth'],
    [403, { message: 'x' }, 'provider_auth'],
    [402, { message: 'Insufficient Balance' }, 'provider_quota'],
    [404, { message: 'no such model' }, 'model_not_found'],
    [400, { message: 'x', code: 'model_not_found' }, 'model_not_found'],
    [
      400,
      { message: 'Model Not Exist', type: 'invalid_request_error', code: 'invalid_request_error' },
      'model_not_found',
    ],
    [400, { message: 'Invalid model: open-mistral-9', code: '1500' }, 'model_not_found'],
    [400, { message: 'x/secret-9 is not a valid model ID', code: 400 }, 'model_not_found'],
    [400, { message: 'The model `secret-9` does not exist or you do not have access to it.' }, 'model_not_found'],
    [400, { message: 'This model does not support tools.' }, 'invalid_request'],
    [400, { message: 'The tool `model` does not exist.' }, 'invalid_request'],
    [413, { message: 'x' }, 'payload_too_large'],
    [422, { message: 'x' }, 'invalid_request'],
    [429, { message: 'slow down' }, 'rate_limited'],
    // Azure's errors.
    [400, { message: 'The response was filtered.', param: 'prompt', code: 'content_filter' }, 'content_policy'],
    [404, { code: 'DeploymentNotFound', message: 'The API deployment does not exist.' }, 'model_not_found'],
    [
      429,
      { code: '429', message: 'Exceeded the token rate limit of your pricing tier, see aka.ms/oai/quotaincrease.' },
      'rate_limited',
    ],
    [401, { code: 'Unauthorized', message: 'Access token is missing, invalid, or have expired.' }, 'provider_auth'],
    [429, { message: 'Limit reached: too many tokens per minute' }, 'rate_limited'],
    [429, { message: 'You exceeded your current quota', type: 'insufficient_quota', code: null }, 'provider_quota'],
    [500, { message: 'x' }, 'provider_error'],
    [500, { message: 'x', code: 'context_length_exceeded' }, 'context_length_exceeded'],
    [500, { message: 'the context window is on fire' }, 'provider_error'],
    [504, { message: 'x' }, 'provider_error'],
    [503, { message: 'x' }, 'provider_overloaded'],
    [529, { message: 'x' }, 'provider_overloaded'],
  ])('reads %i %j as %s', (status, error, code) => {
    expect(decode(status, error).code).toBe(code);
  });

  it('forwards the vendor’s message and field, but not messages about the gateway’s key', () => {
    expect(decode(400, { message: 'bad top_p', param: 'top_p' })).toMatchObject({
      message: 'bad top_p',
      param: 'top_p',
    });
    expect(decode(401, { message: 'Incorrect API key provided: sk-abc' }).message).not.toContain('sk-abc');
  });

  it('hides the upstream’s model name', () => {
    for (const status of [400, 404]) {
      const { message } = decode(status, { message: 'The model `secret-9` does not exist', code: 'model_not_found' });
      expect(message).toBe("The upstream does not serve this model. Contact the gateway's operator.");
    }
  });

  it('shortens the vendor’s message to one line', () => {
    const { message, param } = decode(400, { message: 'bad\n'.repeat(500), param: 'p\nq'.repeat(500) });
    expect(message).toMatch(/^bad bad [^\n]{400,491}…$/);
    expect(param?.length).toBeLessThanOrEqual(500);
  });

  it('reports the retry delay', () => {
    expect(decode(429, {}, { 'retry-after-ms': '1500', 'retry-after': '9' }).retryAfterMs).toBe(1500);
    expect(decode(503, {}, { 'retry-after': '2' }).retryAfterMs).toBe(2000);
    expect(decode(500, {}).retryable).toBe(true);
    expect(decode(400, {}).retryable).toBe(false);
  });

  it.each([
    [{ error: 'plain' }, 'plain'],
    [[{ error: { message: 'listed' } }], 'listed'],
    [{ message: 'flat' }, 'flat'],
    [{ detail: 'fastapi' }, 'fastapi'],
    [{ detail: [{ msg: 'field required' }] }, 'field required'],
    ['text', 'text'],
  ])('finds the message in %j', (body, message) => {
    expect(decodeError({ status: 400, headers: {}, body }).message).toBe(message);
  });

  it('hides a proxy’s HTML page', () => {
    expect(decodeError({ status: 502, headers: {}, body: '<html>nginx</html>' }).message).not.toContain('nginx');
  });
});

describe('decodeInnerError', () => {
  it.each([
    [{ message: 'busy', code: 502 }, 'provider_error'],
    [{ message: 'slow', code: 429 }, 'rate_limited'],
    [{ message: 'x', code: '503' }, 'provider_overloaded'],
    [{ message: 'x', type: 'invalid_request_error', code: 'context_length_exceeded' }, 'context_length_exceeded'],
    [{ message: 'x', type: 'overloaded_error' }, 'provider_overloaded'],
    [{ message: 'x', type: 'invalid_request_error', code: 'model_not_found' }, 'model_not_found'],
    ['boom', 'provider_error'],
  ])('reads %j as %s', (error, code) => {
    expect(decodeInnerError({ error }).code).toBe(code);
  });

  it.each([
    [{ code: 'context_length_exceeded', message: 'x' }, 'context_length_exceeded'],
    [{ code: 'content_filter', type: 'server_error', message: 'x' }, 'content_policy'],
    [{ code: 'insufficient_quota', message: 'x' }, 'provider_quota'],
    [{ code: 'rate_limit_exceeded', message: 'too many tokens per minute' }, 'rate_limited'],
    [{ type: 'rate_limit_error', code: 'x', message: 'x' }, 'rate_limited'],
    [{ code: 'invalid_api_key', message: 'x' }, 'provider_auth'],
    [{ type: 'permission_error', message: 'x' }, 'provider_auth'],
    [{ code: 'unsupported_parameter', message: 'x' }, 'unsupported_parameter'],
    [{ code: 'invalid_value', type: 'invalid_request_error', message: 'x' }, 'invalid_request'],
    [{ type: 'BadRequestError', message: 'x' }, 'invalid_request'],
    [{ code: 'payload_too_large', message: 'x' }, 'payload_too_large'],
    [{ type: 'server_error', message: 'The context window is full.' }, 'context_length_exceeded'],
    [{ message: "This model's maximum context length is 8192 tokens." }, 'context_length_exceeded'],
    [{ message: 'Rate limit reached: too many tokens per minute' }, 'rate_limited'],
    [{ message: 'You exceeded your current quota' }, 'provider_quota'],
    [{ message: 'The engine is currently overloaded' }, 'provider_overloaded'],
    [{ message: 'Model Not Exist' }, 'model_not_found'],
    [{}, 'provider_error'],
  ])('without a status prefers the code, then the type, then the message: %j is %s', (error, code) => {
    const decoded = decode(0, error);
    expect(decoded.code).toBe(code);
    expect(decodeInnerError({ error }).code).toBe(code);
    expect(decoded.message).not.toContain('status');
  });

  it('treats an empty error as a retryable upstream error', () => {
    for (const body of [{ error: {} }, { error: { message: 'Oops.' } }, 'Oops.', undefined]) {
      const decoded = decodeError({ status: 0, headers: {}, body });
      expect(decoded).toMatchObject({ code: 'provider_error', retryable: true });
    }
  });

  it('shortens the vendor’s message to one line', () => {
    for (const error of ['boom\n'.repeat(500), { message: 'boom\n'.repeat(500) }]) {
      expect(decodeInnerError({ error }).message).toMatch(/^boom boom [^\n]{400,490}…$/);
    }
  });
});
