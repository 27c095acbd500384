import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': '250.4' }, 250],
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:15 GMT' }, 10_000],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:00:00 GMT' }, 0],
    [{ 'openai-poll-after-ms': '1500' }, 1_500],
    [{ 'retry-after': '7200' }, 7_200_000],
    [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
  ])('reads %o', (headers, expected) => {
    expect(retryAfterMs(headers, NOW)).toBe(expected);
  });

  it('compares a date with the date of the response without a clock', () => {
    const after = { 'retry-after': 'Wed, 21 Oct 2026 07:28:05 GMT' };
    expect(retryAfterMs({ ...after, date: 'Wed, 21 Oct 2026 07:28:00 GMT' })).toBe(5_000);
    expect(retryAfterMs(after)).toBeUndefined();
  });

  it.each([{}, { 'retry-after': '' }, { 'retry-after': '-5' }, { 'retry-after': 'later' }, { 'retry-after': '1e9' }])(
    'ignores %o',
    (headers) => {
      expect(retryAfterMs(headers, NOW)).toBeUndefined();
    },
  );
});
