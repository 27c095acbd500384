import { expect, it } from 'vitest';
import { volcError } from './volc-error.ts';

it('volcError has the format of Volcengine’s gateway', () => {
  const error = volcError(401, 'SignatureDoesNotMatch', 100_010, 'no');
  expect([error.status, error.body('req-1')]).toEqual([
    401,
    {
      ResponseMetadata: { RequestId: 'req-1', Error: { CodeN: 100_010, Code: 'SignatureDoesNotMatch', Message: 'no' } },
    },
  ]);
});
