import { expect, it } from 'vitest';
import { withFallbacks } from './with-fallbacks.ts';

const HOUR = Date.UTC(2026, 10, 23, 9) / 1_000;

it('adds failed calls to the row of their upstream and time', () => {
  const rows = [
    { upstream: 'a', hour: '2026-11-23T09:00:00Z', requests: 5, errors: 1 },
    { upstream: 'b', hour: '2026-11-23T09:00:00Z', requests: 7, errors: 0 },
  ];
  const fallbacks = [
    { upstream: 'a', start_time: HOUR, failures: 2 },
    { upstream: 'c', start_time: HOUR, failures: 3 },
  ];
  expect(withFallbacks(rows, fallbacks, 'hour')).toEqual([
    { upstream: 'a', hour: '2026-11-23T09:00:00Z', requests: 7, errors: 3 },
    rows[1],
    { upstream: 'c', hour: '2026-11-23T09:00:00.000Z', requests: 3, errors: 3 },
  ]);
});

it('sums up the hours of a day', () => {
  const rows = [{ upstream: 'a', day: '2026-11-23', requests: 5, errors: 1 }];
  const fallbacks = [9, 10].map((hour) => ({ upstream: 'a', start_time: HOUR + (hour - 9) * 3_600, failures: 2 }));
  expect(withFallbacks(rows, fallbacks, 'day')).toEqual([{ upstream: 'a', day: '2026-11-23', requests: 9, errors: 5 }]);
});
