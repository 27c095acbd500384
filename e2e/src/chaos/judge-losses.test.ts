import { expect, it } from 'vitest';
import { VENDOR_KINDS } from '../media/vendor-kinds.ts';
import { judgeLosses } from './judge-losses.ts';

const [kind] = VENDOR_KINDS;
if (!kind) throw new Error('there is no vendor');
const planned = { atMs: 0, protocol: 0, kind, directive: '', prompt: '', idempotencyKey: '' };
const task = (id: string, acceptedAt: number) => ({ ...planned, id, acceptedAt });
const loss = { shard: 1, from: 10_000, to: 70_000 };

it('reports a task of another shard that waited, and none of the lost shard', () => {
  const accepted = [task('video_1own', 5_000), task('video_0late', 5_000), task('video_2fine', 5_000)];
  const endedAt = new Map([
    ['video_1own', 75_000],
    ['video_0late', 75_000],
    ['video_2fine', 12_000],
  ]);
  const { faults, rows } = judgeLosses(accepted, endedAt, [loss]);
  expect(faults).toEqual([expect.stringContaining('video_0late')]);
  expect(Object.fromEntries(rows)).toMatchObject({ 'its tasks that waited': 1, 'of these, waited as well': 1 });
});

it('reports none that was accepted shortly before the end, or while the home was lost as well', () => {
  const endedAt = new Map([['video_0late', 75_000]]);
  expect(judgeLosses([task('video_0late', 60_000)], endedAt, [loss]).faults).toEqual([]);
  const home = { shard: 0, from: 20_000, to: 24_000 };
  expect(judgeLosses([task('video_0late', 5_000)], endedAt, [loss, home]).faults).toEqual([]);
});
