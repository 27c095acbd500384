import { describe, expect, it } from 'vitest';
import { judgeSeries, type Point } from './decision.ts';

const MINUTE = 60_000;
const hour = (value: (minute: number) => number): Point[] =>
  Array.from({ length: 61 }, (_, minute) => ({ at: minute * MINUTE, value: value(minute) }));
const tolerance = { share: 0.05, absolute: 10 };

describe('judgeSeries', () => {
  it('reports growth during the warm-up as flat', () => {
    expect(
      judgeSeries(
        hour((minute) => Math.min(minute, 5) * 40),
        tolerance,
      ),
    ).toMatchObject({
      first: 200,
      last: 200,
      slopePerHour: expect.closeTo(0, 0),
      isFlat: true,
    });
  });

  it('reports growth beyond both tolerances as a leak, with its rate', () => {
    const decision = judgeSeries(
      hour((minute) => 100 + minute),
      tolerance,
    );
    expect(decision.isFlat).toBe(false);
    expect(decision.slopePerHour).toBeCloseTo(60);
  });

  it('tolerates growth by the share for large values, and by the absolute tolerance for small ones', () => {
    expect(
      judgeSeries(
        hour((minute) => 2_000 + minute),
        tolerance,
      ).isFlat,
    ).toBe(true);
    expect(
      judgeSeries(
        hour((minute) => 10 + minute / 8),
        tolerance,
      ).isFlat,
    ).toBe(true);
  });

  it('throws for too few samples', () => {
    expect(() => judgeSeries(hour(() => 1).slice(0, 19), tolerance)).toThrow('Too few samples');
  });
});
