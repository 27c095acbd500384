import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:15 GMT' }, 10_000],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:00:00 GMT' }, 0],
    [{ 'openai-poll-after-ms': '1500' }, 1500],
    [{ 'retry-after': '999999999' }, 3_600_000],
    [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
  ])('reads %o', (headers, expected) => {
    expect(retryAfterMs(headers, NOW)).toBe(expected);
  });

  it.each([{}, { 'retry-after': '' }, { 'retry-after': '-5' }, { 'retry-after': 'later' }, { 'retry-after': '1e9' }])(
    'makes nothing of %o',
    (headers) => {
      expect(retryAfterMs(headers, NOW)).toBeUndefined();
    },
  );
});
