import { describe, expect, it } from 'vitest';
import { retryDelayMs } from './retry-delay.ts';

const DELAYS = [5_000, 300_000];

describe('retryDelayMs', () => {
  it('returns the configured delay within 15 %', () => {
    expect(retryDelayMs(DELAYS, { failed: 1, random: 0.5 })).toBe(5_000);
    expect(retryDelayMs(DELAYS, { failed: 1, random: 0 })).toBe(4_250);
    expect(retryDelayMs(DELAYS, { failed: 2, random: 0.999_999 })).toBe(345_000);
  });

  it('returns at least the delay that the server requests', () => {
    expect(retryDelayMs(DELAYS, { failed: 1, random: 0.5, retryAfterMs: 60_000 })).toBe(60_000);
    expect(retryDelayMs(DELAYS, { failed: 2, random: 0.5, retryAfterMs: 60_000 })).toBe(300_000);
  });

  it('returns undefined after the last configured delay, whatever the server requests', () => {
    expect(retryDelayMs(DELAYS, { failed: 3, random: 0.5, retryAfterMs: 60_000 })).toBeUndefined();
    expect(retryDelayMs([], { failed: 1, random: 0.5 })).toBeUndefined();
  });
});
