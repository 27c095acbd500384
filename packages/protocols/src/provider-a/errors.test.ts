import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { KLING_CODES } from '../media/kling-codes.ts';
import { encodeError } from './errors.ts';
import { ErrorSchema } from './schema.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.

describe('encodeError', () => {
  it.each(codes)("encodes %s in the envelope, with the gateway's code next to it", (code) => {
    const body = encodeError(new GatewayError(code, 'What is wrong.', { param: 'prompt', cause: 'secret' }), 'req_1');
    expect(ErrorSchema.strict().parse(body)).toEqual(body);
    expect(body).toEqual({
      code: KLING_CODES[code],
      message: 'What is wrong.',
      request_id: 'req_1',
      error: { message: 'What is wrong.', type: expect.any(String), param: 'prompt', code },
    });
  });

  it.each([
    ['invalid_request', 1201],
    ['content_policy', 1301],
    ['rate_limited', 1302],
    ['insufficient_quota', 1102],
    ['internal_error', 5000],
    ['video_not_found', 1203],
  ] as const)("gives %s Kling's number %d", (code, number) => {
    expect(encodeError(new GatewayError(code, 'x'))).toMatchObject({ code: number, request_id: '' });
  });
});
