import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

describe('how long an upstream asks to wait', () => {
  it.each([
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:05 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 5000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:05 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('is read from %j', (headers, expected) => {
    expect(retryAfterMs(headers)).toBe(expected);
  });
});
