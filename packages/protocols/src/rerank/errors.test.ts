import { GatewayError } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { encodeRerankError, RerankErrorSchema } from './errors.ts';

it('says what is wrong both where OpenAI’s and where Cohere’s clients look', () => {
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
