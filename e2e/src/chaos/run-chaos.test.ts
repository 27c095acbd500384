import { expect, it } from 'vitest';
import { runChaos } from './run-chaos.ts';

it('15 seconds of chaos lose no task, duplicate no submission, and cause no wrong final state', async () => {
  // On a busy machine, a new job may appear in lists only after seconds. With this value, an empty lookup never proves
  // that there is no job.
  const options = { seed: 1, tasks: 60, minutes: 0.25, unknownMs: 15_000, lookUpMs: 60_000 };
  const report = await runChaos(options, () => undefined, new AbortController().signal);
  expect(report.faults).toEqual([]);
  expect(Object.fromEntries(report.rows)).toMatchObject({
    'tasks accepted': 60,
    'ledger entries of tasks': 60,
    'kill -9 of a worker': 1,
    'kill -9 of an API process': 1,
    'kill -9 of Redis': 1,
  });
}, 300_000);
