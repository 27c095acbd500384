import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreRig } from '../../test/store-rig.ts';
import { runningPoll } from './keep-polling.ts';
import { readTaskStats } from './task-stats.ts';
import { parseTimelineEntry } from './timeline.ts';

let rig: StoreRig;
let store: StoreRig['store'];
beforeEach(() => {
  rig = new StoreRig();
  ({ store } = rig);
});
afterEach(() => rig.close());

const note = { what: 'poll', outcome: 'running' } as const;
const poll = (progress = 40) => ({ polledAt: rig.clock, progress, dueAt: rig.clock + 5_000, note });

async function timeline(id: string, list: 'shown' | 'noted') {
  const entries = await rig.redis.lrange(rig.keys.timeline(id, list), 0, -1);
  return entries.map(parseTimelineEntry);
}

describe('keepPolling', () => {
  it('writes the poll and the time of the next one', async () => {
    const record = await rig.running(await rig.admitted());
    const after = await store.keepPolling(record, poll());
    expect(after).toMatchObject({ polls: 1, progress: 40, dueAt: rig.clock + 5_000, revision: record.revision + 1 });
    expect(await store.loadState(record.id)).toEqual(after);
    expect(await rig.redis.zscore(rig.keys.due, record.id)).toBe(String(rig.clock + 5_000));
  });

  it('shows progress once and counts equal polls', async () => {
    let record = await rig.running(await rig.admitted());
    for (let polls = 0; polls < 3; polls++) record = (await store.keepPolling(record, poll())) ?? record;
    expect((await timeline(record.id, 'shown')).at(-1)).toMatchObject({ progress: 40, outcome: 'running' });
    expect((await timeline(record.id, 'noted')).at(-1)).toMatchObject({ outcome: 'running', count: 2 });
    const events = await rig.redis.xrevrange(rig.keys.events, '+', '-', 'COUNT', 1);
    expect(events[0]?.[1]).toContain('40');
  });

  it('never decreases progress and reserves 100 for completed tasks', async () => {
    const record = await rig.running(await rig.admitted());
    const higher = await store.keepPolling(record, poll(250));
    expect(higher?.progress).toBe(99);
    expect((await store.keepPolling(higher ?? record, poll(5)))?.progress).toBe(99);
  });

  it.each([
    ['the client cancels the task', { from: ['in_progress'], to: 'canceling', set: { cancelRequested: true } }],
    ['another worker claims the task', { from: ['in_progress'], claim: true }],
    ['an operator changes the job', { from: ['in_progress'], set: { upstreamId: 'other' } }],
  ] as const)('writes nothing after %s', async (_change, move) => {
    const record = await rig.running(await rig.admitted());
    const changed = await rig.moved(record.id, move);
    expect(await store.keepPolling(record, poll())).toBeUndefined();
    expect(await store.loadState(record.id)).toEqual(changed);
  });

  it('is counted as fenced after another worker has claimed the task', async () => {
    const record = await rig.running(await rig.admitted());
    await rig.redis.hincrby(rig.keys.task(record.id), 'epoch', 1);
    expect(await store.keepPolling(record, poll())).toBeUndefined();
    expect(await store.loadState(record.id)).toMatchObject({ polls: 0, progress: 1 });
    expect((await readTaskStats(rig.redis, rig.keys)).fencedWrites).toBe(1);
  });

  it('is applied once if the command is sent again', async () => {
    const record = await rig.running(await rig.admitted());
    const sent = runningPoll(rig.redis, rig.keys, 'operation', record, { ...poll(1), lateMs: 7 });
    expect([await sent.send(rig.clock), await sent.send(rig.clock)]).toEqual([true, true]);
    expect(await store.loadState(record.id)).toEqual(sent.after);
    expect((await timeline(record.id, 'noted')).at(-1)).not.toHaveProperty('count');
    expect((await readTaskStats(rig.redis, rig.keys)).lateness).toMatchObject({ count: 1, sumMs: 7 });
  });

  it('records lateness and the time of the claim only for a step without a claim', async () => {
    const record = await rig.running(await rig.admitted());
    const after = await store.keepPolling(record, poll());
    expect((await readTaskStats(rig.redis, rig.keys)).lateness.count).toBe(0);
    await store.keepPolling(after ?? record, { ...poll(), lateMs: 99_999.4 });
    const stats = await readTaskStats(rig.redis, rig.keys);
    expect(stats.lateness).toMatchObject({ count: 1, sumMs: 99_999 });
    expect(stats.lastClaimAt).toEqual({ acme: rig.clock });
  });
});
