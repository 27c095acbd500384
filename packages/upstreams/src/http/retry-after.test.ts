import { expect, it } from 'vitest';
import { cappedRetryAfterMs } from './retry-after.ts';

it('waits at most one hour', () => {
  expect(cappedRetryAfterMs({ 'retry-after': '999999999' }, 0)).toBe(3_600_000);
  expect(cappedRetryAfterMs({ 'retry-after': '3' }, 0)).toBe(3_000);
  expect(cappedRetryAfterMs({}, 0)).toBeUndefined();
});
