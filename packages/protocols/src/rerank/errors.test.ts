import { GatewayError } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { encodeRerankError, RerankErrorSchema } from './errors.ts';

it("encodes the error for both OpenAI's and Cohere's clients", () => {
  const error = encodeRerankError(new GatewayError('invalid_request', 'query is required.', { param: 'query' }));
  expect(error).toEqual({
    message: 'query is required.',
    error: {
      message: 'query is required.',
      type: 'invalid_request_error',
      param: 'query',
      code: 'invalid_request',
    },
  });
  expect(RerankErrorSchema.safeParse(error).success).toBe(true);
});
