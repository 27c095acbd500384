import { expect, it } from 'vitest';
import { PARTS, planChaos } from './plan-chaos.ts';

const options = { seed: 7, tasks: 300, minutes: 2 };

it('the same options give the same plan, another seed another', () => {
  expect(planChaos(options)).toEqual(planChaos(options));
  expect(planChaos({ ...options, seed: 8 })).not.toEqual(planChaos(options));
});

it('makes every task in time, under a key of its own, and kills each part however short the run is', () => {
  const { tasks, kills } = planChaos({ ...options, minutes: 0.1 });
  expect(new Set(tasks.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(300);
  for (const { atMs } of [...tasks, ...kills]) expect(atMs).toBeLessThan(6_000);
  expect(new Set(kills.map(({ part }) => part))).toEqual(new Set(Object.keys(PARTS)));
});
