import { describe, expect, it } from 'vitest';
import { decodeError } from './decode-error.ts';

function decode(status: number, type: string | undefined, message: string, headers: Record<string, string> = {}) {
  const typed = type === undefined ? headers : { ...headers, 'x-amzn-errortype': `${type}:http://internal/` };
  return decodeError({ status, headers: typed, body: { message } });
}

describe('decodeError', () => {
  it.each([
    [400, 'ValidationException', 'Said.', 'invalid_request'],
    [400, 'ValidationException', 'Input is too long for requested model.', 'context_length_exceeded'],
    [400, 'ValidationException', 'The provided model identifier is invalid.', 'model_not_found'],
    [403, 'AccessDeniedException', 'x', 'provider_auth'],
    [403, 'ExpiredTokenException', 'x', 'provider_auth'],
    [404, 'ResourceNotFoundException', 'x', 'model_not_found'],
    [408, 'ModelTimeoutException', 'x', 'deadline_exceeded'],
    [424, 'ModelErrorException', 'x', 'provider_error'],
    [429, 'ThrottlingException', 'x', 'rate_limited'],
    [429, 'ThrottlingException', 'Too many tokens per day', 'provider_quota'],
    [429, 'ModelNotReadyException', 'x', 'provider_overloaded'],
    [400, 'ServiceQuotaExceededException', 'x', 'provider_quota'],
    [500, 'InternalServerException', 'x', 'provider_error'],
    [503, 'ServiceUnavailableException', 'x', 'provider_overloaded'],
    [403, undefined, 'x', 'provider_auth'],
    [429, undefined, 'x', 'rate_limited'],
    [418, 'toString', 'x', 'provider_error'],
  ])('decodes %i %s "%s" as %s', (status, type, message, code) => {
    expect(decode(status, type, message).code).toBe(code);
  });

  it('reads the name from the body, and the retry delay from the headers', () => {
    const body = { __type: 'com.amazon.coral#ThrottlingException', Message: 'Slow down.' };
    const error = decodeError({ status: 400, headers: { 'retry-after': '7' }, body });
    expect(error).toMatchObject({ code: 'rate_limited', message: 'Slow down.', retryAfterMs: 7000 });
  });

  it('does not expose the gateway’s account', () => {
    const message = 'User: arn:aws:iam::123456789012:user/x is not authorized';
    expect(decode(403, 'AccessDeniedException', message).message).not.toContain('123456789012');
  });

  it('is retryable for failures of the model', () => {
    expect(decode(424, 'ModelErrorException', 'x').retryable).toBe(true);
    expect(decode(418, undefined, 'x').retryable).toBe(false);
    expect(decode(0, 'modelStreamErrorException', 'x').retryable).toBe(true);
  });
});
