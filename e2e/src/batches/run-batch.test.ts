import { expect, it } from 'vitest';
import { runBatch } from './run-batch.ts';

it("a batch has one result and one ledger entry for each line if workers die at points of a line's life", async () => {
  const points = ['after the intent', 'after the response', 'before the result', 'after the result'] as const;
  const { rows, faults } = await runBatch({
    lines: 2_000,
    workers: 1,
    points,
    kills: 0,
    delay: 0,
    seed: 1,
    isCharged: false,
  });
  expect(faults).toEqual([]);
  expect(Object.fromEntries(rows)).toMatchObject({ lines: '2000' });
}, 300_000);
