import { describe, expect, it } from 'vitest';
import { retryDelayMs } from './retry-delay.ts';

const PLAN = [5_000, 300_000];

describe('nextTryMs', () => {
  it('is as planned, give or take 15 %', () => {
    expect(retryDelayMs(PLAN, { failed: 1, random: 0.5 })).toBe(5_000);
    expect(retryDelayMs(PLAN, { failed: 1, random: 0 })).toBe(4_250);
    expect(retryDelayMs(PLAN, { failed: 2, random: 0.999_999 })).toBe(345_000);
  });

  it('is at least as long as the server wishes', () => {
    expect(retryDelayMs(PLAN, { failed: 1, random: 0.5, retryAfterMs: 60_000 })).toBe(60_000);
    expect(retryDelayMs(PLAN, { failed: 2, random: 0.5, retryAfterMs: 60_000 })).toBe(300_000);
  });

  it('ends with the plan, whatever the server wishes', () => {
    expect(retryDelayMs(PLAN, { failed: 3, random: 0.5, retryAfterMs: 60_000 })).toBeUndefined();
    expect(retryDelayMs([], { failed: 1, random: 0.5 })).toBeUndefined();
  });
});
