import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { encodeError } from './errors.ts';
import { ErrorSchema } from './schema.ts';

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.

it.each(codes)('encodes %s as OpenAI does and at the top', (code) => {
  const body = encodeError(new GatewayError(code, 'What is wrong.', { param: 'prompt', cause: 'secret' }));
  expect(ErrorSchema.strict().parse(body)).toEqual(body);
  expect(body).toEqual({
    code,
    message: 'What is wrong.',
    error: { message: 'What is wrong.', type: expect.any(String), param: 'prompt', code },
  });
});
