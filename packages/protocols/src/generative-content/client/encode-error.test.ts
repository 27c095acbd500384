import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeError } from './encode-error.ts';
import { ErrorSchema } from '../wire/schema.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.

describe('encodeError', () => {
  it.each(codes)('encodes %s as Google does', (code) => {
    const body = encodeError(new GatewayError(code, 'What is wrong.'));
    expect(ErrorSchema.parse(body)).toEqual(body);
    expect(body.error.message).toContain('What is wrong.');
    // The SDK accepts only these numbers for errors inside a stream.
    expect(body.error.code >= 400 && body.error.code < 600).toBe(true);
  });

  it.each([
    ['invalid_request', 400, 'INVALID_ARGUMENT'],
    ['invalid_api_key', 401, 'UNAUTHENTICATED'],
    ['model_not_allowed', 403, 'PERMISSION_DENIED'],
    ['model_not_found', 404, 'NOT_FOUND'],
    ['payload_too_large', 413, 'INVALID_ARGUMENT'],
    ['content_policy', 400, 'FAILED_PRECONDITION'],
    ['rate_limited', 429, 'RESOURCE_EXHAUSTED'],
    ['insufficient_quota', 429, 'RESOURCE_EXHAUSTED'],
    ['internal_error', 500, 'INTERNAL'],
    ['provider_error', 502, 'INTERNAL'],
    ['provider_overloaded', 503, 'UNAVAILABLE'],
    ['deadline_exceeded', 504, 'DEADLINE_EXCEEDED'],
  ] as const)('encodes %s with number %d and status %s', (code, number, status) => {
    expect(encodeError(new GatewayError(code, 'x')).error).toMatchObject({ code: number, status });
  });

  it('names the invalid field and the retry delay', () => {
    const error = new GatewayError('rate_limited', 'Slow down.', { param: 'contents', retryAfterMs: 1500 });
    expect(encodeError(error).error.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'contents', description: 'Slow down.' }],
      },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' },
    ]);
    expect(encodeError(new GatewayError('invalid_request', 'x')).error.details).toBeUndefined();
  });

  it('reports an invalid key in the format that clients detect', () => {
    expect(encodeError(new GatewayError('invalid_api_key', 'x')).error.details).toMatchObject([
      { reason: 'API_KEY_INVALID' },
    ]);
  });

  it('reports a prompt that is too long in the message that clients detect', () => {
    const { message } = encodeError(new GatewayError('context_length_exceeded', 'prompt is too long')).error;
    expect(message).toMatch(/^The input token count exceeds the maximum number of tokens allowed/);
  });

  it('never exposes the cause', () => {
    const error = new GatewayError('internal_error', 'Wrong.', { cause: new Error('redis://user:secret@host') });
    expect(JSON.stringify(encodeError(error))).not.toContain('secret');
  });
});
