import { expect, it } from 'vitest';
import { errorCode, UpstreamError } from './upstream-error.ts';

it('keeps the network error for logs only', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:80'), { code: 'ECONNREFUSED' });
  const error = new UpstreamError('connect', 'no', cause);
  expect(error.message).toBe('The upstream could not be reached.');
  expect(errorCode(error)).toBe('ECONNREFUSED');
});

it('returns no code for a value that is no error', () => {
  expect([errorCode(undefined), errorCode('x'), errorCode(new Error('x'))]).toEqual([undefined, undefined, undefined]);
});
