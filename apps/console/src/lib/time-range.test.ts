import { describe, expect, it } from 'vitest';
import { fieldOfTime, timeOfField, withEnd } from './time-range.ts';

const AT = Date.parse('2026-11-24T10:30:15Z') / 1_000;

describe('fieldOfTime and timeOfField', () => {
  it('convert a time to a field and back', () => {
    expect(fieldOfTime(AT)).toMatch(/^2026-11-2\dT\d\d:\d\d:15$/);
    expect(timeOfField(fieldOfTime(AT))).toBe(AT);
  });

  it('have no time for an incomplete field', () => {
    expect(timeOfField('')).toBeUndefined();
  });
});

describe('withEnd', () => {
  const range = { start: 1_000, end: 1_600 };

  it('sets one end', () => {
    expect(withEnd(range, 'start', 1_200)).toEqual({ start: 1_200, end: 1_600 });
    expect(withEnd(range, 'end', 1_200)).toEqual({ start: 1_000, end: 1_200 });
  });

  it('moves the other end along instead of an empty range', () => {
    expect(withEnd(range, 'start', 1_600)).toEqual({ start: 1_600, end: 2_200 });
    expect(withEnd(range, 'end', 900)).toEqual({ start: 300, end: 900 });
    expect(withEnd(range, 'end', 100)).toEqual({ start: 0, end: 100 });
  });
});
