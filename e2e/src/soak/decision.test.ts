import { describe, expect, it } from 'vitest';
import { judgeSeries, type Series } from './decision.ts';

const MINUTE = 60_000;
const hour = (value: (minute: number) => number): Series[] =>
  Array.from({ length: 61 }, (_, minute) => ({ at: minute * MINUTE, value: value(minute) }));
const tolerance = { share: 0.05, absolute: 10 };

describe('judgeSeries', () => {
  it('calls flat what grows only while it warms up', () => {
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

  it('lets a large value grow by its share, and a small one by the absolute tolerance', () => {
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

  it('does not guess from a handful of samples', () => {
    expect(() => judgeSeries(hour(() => 1).slice(0, 19), tolerance)).toThrow('Too few samples');
  });
});
