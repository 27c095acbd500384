import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPollDelay } from './next-poll-delay.ts';

const settings = { firstMs: 2_000, minMs: 3_000, maxMs: 30_000 };
const middle = 0.5;

describe('nextPollDelay', () => {
  it("follows the vendor's delay within the bounds", () => {
    const situation = { elapsedMs: 1_000, unclearPolls: 0 };
    expect(nextPollDelay({ ...situation, retryAfterMs: 20_000 }, settings, middle)).toBe(20_000);
    expect(nextPollDelay({ ...situation, retryAfterMs: 86_400_000 }, settings, middle)).toBe(30_000);
    expect(nextPollDelay({ ...situation, retryAfterMs: 0 }, settings, middle)).toBe(3_000);
  });

  it('polls first at half of the typical time', () => {
    expect(nextPollDelay({ elapsedMs: 0, usualMs: 60_000, unclearPolls: 0 }, settings, middle)).toBe(30_000);
  });

  it('polls frequently near the typical end', () => {
    expect(nextPollDelay({ elapsedMs: 55_000, usualMs: 60_000, unclearPolls: 0 }, settings, middle)).toBe(3_000);
  });

  it('polls rarely once a task takes much longer than usual', () => {
    expect(nextPollDelay({ elapsedMs: 600_000, usualMs: 60_000, unclearPolls: 0 }, settings, middle)).toBe(30_000);
  });

  it('polls less often with every unclear response', () => {
    const delays = [1, 2, 3].map((unclearPolls) => nextPollDelay({ elapsedMs: 9_000, unclearPolls }, settings, middle));
    expect(delays).toEqual([4_500, 6_750, 10_125]);
  });

  it('stays within its bounds and jitter for any input', () => {
    const situation = fc.record({
      elapsedMs: fc.nat(10_000_000),
      usualMs: fc.option(fc.integer({ min: 1, max: 10_000_000 }), { nil: undefined }),
      unclearPolls: fc.nat(50),
    });
    fc.assert(
      fc.property(situation, fc.double({ min: 0, max: 0.999, noNaN: true }), (now, random) => {
        const delay = nextPollDelay(now, settings, random);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(2_000 * 0.85));
        expect(delay).toBeLessThanOrEqual(Math.ceil(Math.max(30_000, (now.usualMs ?? 0) / 2) * 1.15));
      }),
    );
  });
});
