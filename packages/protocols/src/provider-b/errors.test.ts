import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { VOLCENGINE_CODES } from './codes.ts';
import { encodeError } from './errors.ts';
import { ErrorSchema } from './schema.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.

describe('encodeError', () => {
  it.each(codes)("encodes %s in the envelope, with the gateway's code next to it", (code) => {
    const body = encodeError(new GatewayError(code, 'What is wrong.', { param: 'prompt', cause: 'secret' }), 'req_1');
    expect(ErrorSchema.strict().parse(body)).toEqual(body);
    expect(body).toEqual({
      code: VOLCENGINE_CODES[code],
      message: 'What is wrong.',
      request_id: 'req_1',
      status: VOLCENGINE_CODES[code],
      time_elapsed: '0s',
      data: null,
      error: { message: 'What is wrong.', type: expect.any(String), param: 'prompt', code },
    });
  });

  it.each([
    ['content_policy', 50_411],
    ['rate_limited', 50_429],
    ['insufficient_quota', 50_400],
    ['internal_error', 50_500],
  ] as const)("gives %s Volcengine's number %d", (code, number) => {
    expect(encodeError(new GatewayError(code, 'x'))).toMatchObject({ code: number, request_id: '' });
  });
});
