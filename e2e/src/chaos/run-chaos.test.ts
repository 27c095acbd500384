import { expect, it } from 'vitest';
import { runChaos } from './run-chaos.ts';

it('15 seconds of chaos with three shards, pools, and reloads lose no task, duplicate no submission, and cause no wrong final state', async () => {
  // On a busy machine, a new job may appear in lists only after seconds. With this value, an empty lookup never proves
  // that there is no job.
  const timers = { unknownMs: 30_000, lookUpMs: 120_000 };
  const options = { seed: 1, tasks: 60, minutes: 0.25, redis: 'shards', pools: true, reloadSeconds: 4 } as const;
  const report = await runChaos({ ...options, ...timers }, () => undefined, new AbortController().signal);
  expect(report.faults).toEqual([]);
  const rows = Object.fromEntries(report.rows);
  expect(rows).toMatchObject({
    'tasks accepted': 60,
    'ledger entries of tasks': 60,
    'kill -9 of a worker': 1,
    'kill -9 of an API process': 1,
    'kill -9 of Redis': 2,
  });
  expect(rows['changes of the configuration']).toBeGreaterThan(0);
}, 300_000);
