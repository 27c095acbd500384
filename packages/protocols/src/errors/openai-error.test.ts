import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeOpenAiError, OpenAiErrorSchema } from './openai-error.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.

describe('encodeOpenAiError', () => {
  it.each(codes)('writes %s with all four fields that SDKs read', (code) => {
    const body = encodeOpenAiError(new GatewayError(code, 'What is wrong.', { param: 'prompt' }));
    expect(OpenAiErrorSchema.parse(body)).toEqual(body);
    expect(body.error).toEqual({ message: 'What is wrong.', type: expect.any(String), param: 'prompt', code });
  });

  it('writes null for an error without a field', () => {
    expect(encodeOpenAiError(new GatewayError('video_not_found', 'Gone.')).error.param).toBeNull();
  });

  it('hides the cause', () => {
    const error = new GatewayError('internal_error', 'Wrong.', { cause: new Error('redis://user:secret@host') });
    expect(JSON.stringify(encodeOpenAiError(error))).not.toContain('secret');
  });

  it.each([
    ['invalid_request', 'invalid_request_error'],
    ['invalid_api_key', 'authentication_error'],
    ['model_not_allowed', 'permission_error'],
    ['video_not_found', 'invalid_request_error'],
    ['rate_limited', 'rate_limit_error'],
    ['insufficient_quota', 'insufficient_quota'],
    ['internal_error', 'server_error'],
    ['store_unavailable', 'server_error'],
  ] as const)('maps %s to the type %s', (code, type) => {
    expect(encodeOpenAiError(new GatewayError(code, 'x')).error.type).toBe(type);
  });
});
