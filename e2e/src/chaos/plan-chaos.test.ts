import { expect, it } from 'vitest';
import { PARTS, planChaos } from './plan-chaos.ts';

const options = { seed: 7, tasks: 300, minutes: 2 };

it('returns the same plan for the same options, and a different plan for a different seed', () => {
  expect(planChaos(options)).toEqual(planChaos(options));
  expect(planChaos({ ...options, seed: 8 })).not.toEqual(planChaos(options));
});

it('creates each task in time with a separate idempotency key, and kills each process even in a short run', () => {
  const { tasks, kills } = planChaos({ ...options, minutes: 0.1 });
  expect(new Set(tasks.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(300);
  for (const { atMs } of [...tasks, ...kills]) expect(atMs).toBeLessThan(6_000);
  expect(new Set(kills.map(({ part }) => part))).toEqual(new Set(Object.keys(PARTS)));
});

it('kills each of three shards in a long run, and takes one away for longer than a task needs', () => {
  const { kills } = planChaos({ ...options, minutes: 10, redis: 'shards' });
  const redis = kills.filter(({ part }) => part === 'redis');
  expect(new Set(redis.map(({ index }) => index))).toEqual(new Set([0, 1, 2]));
  expect(redis.filter(({ awayMs }) => awayMs === 60_000)).toMatchObject([{ index: 1 }]);
  expect(kills.map(({ atMs }) => atMs)).toEqual(kills.map(({ atMs }) => atMs).toSorted((one, other) => one - other));
});
