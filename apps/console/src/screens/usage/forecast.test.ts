import { describe, expect, it } from 'vitest';
import { forecastOf, monthOf, paceOf } from './forecast.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z') / 1_000;
const DAY = 86_400;
const { start, end } = monthOf(NOW);
const pace = { recent: 7, paceSeconds: paceOf('month'), now: NOW };

describe('forecastOf', () => {
  it('continues at the recent pace to the end of the period', () => {
    expect(forecastOf({ ...pace, spent: 20, end, budget: 100 })).toEqual({ total: 30, usedUpAt: undefined });
  });

  it('says when the budget is used up', () => {
    expect(forecastOf({ ...pace, spent: 20, end, budget: 24 })).toEqual({ total: 30, usedUpAt: NOW + 4 * DAY });
    expect(forecastOf({ ...pace, spent: 25, end, budget: 24 })).toMatchObject({ usedUpAt: NOW });
  });

  it('has no total for a budget without a period', () => {
    expect(forecastOf({ ...pace, spent: 1, end: undefined, budget: 101 })).toEqual({
      total: undefined,
      usedUpAt: NOW + 100 * DAY,
    });
  });

  it('never uses up a budget without spending', () => {
    expect(forecastOf({ ...pace, recent: 0, spent: 1, end: undefined, budget: 2 }).usedUpAt).toBeUndefined();
  });
});

describe('monthOf', () => {
  it('is a month in UTC, also at its end and at the end of a year', () => {
    expect([start, end].map((at) => new Date(at * 1_000).toISOString())).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
    ]);
    const december = monthOf(Date.parse('2026-12-31T23:59:59Z') / 1_000);
    expect(new Date(december.end * 1_000).toISOString()).toBe('2027-01-01T00:00:00.000Z');
  });
});
