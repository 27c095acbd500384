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
