import { afterEach, beforeEach, expect, it } from 'vitest';
import { ledgerEntries } from '../../test/ledger-entries.ts';
import { StoreRig } from '../../test/store-rig.ts';
import { reindex } from './reindex.ts';

let rig: StoreRig;
beforeEach(() => {
  rig = new StoreRig();
});
afterEach(() => rig.close());

const rules = { now: Date.parse('2026-01-01T00:00:00Z'), retentionMs: 1_000, maxLedgerEntries: 100 };

it('completes half-ended tasks: charges, records, announces, and expires them', async () => {
  const { redis, keys } = rig;
  const [half, complete] = [await rig.admitted(), await rig.admitted()];
  for (const id of [half, complete]) {
    await rig.running(id);
    await rig.store.move(id, { from: ['in_progress'], to: 'completed', set: { seconds: '5' } });
  }
  const expiresAt = (await rig.store.loadState(complete))?.expiresAt;
  await redis.hset(keys.task(half), {
    heldNanos: '0',
    taskNanos: '7',
    unitNanos: '2',
    callbackUrl: 'http://hook.test/',
  });
  await redis.hdel(keys.task(half), 'completedAt', 'expiresAt');
  await redis.zrem(keys.expiring, half);
  await redis.del(`${keys.prefix}ledger`);
  await redis.zadd(keys.due, 1, half);
  expect(await reindex(redis, keys, rules)).toBe(2);
  expect(await rig.store.loadState(half)).toMatchObject({
    status: 'completed',
    completedAt: rules.now,
    expiresAt: rules.now + 1_000,
  });
  expect(await redis.hexists(keys.task(half), 'heldNanos')).toBe(0);
  expect(await redis.zscore(keys.due, half)).toBeNull();
  expect(await redis.zscore(keys.expiring, half)).toBe(String(rules.now + 1_000));
  expect(await redis.hget(`${keys.prefix}budget:owner`, 'total')).toBe('17');
  expect(await redis.llen(`${keys.prefix}webhooks:outbox`)).toBe(1);
  expect((await rig.store.loadState(complete))?.expiresAt).toBe(expiresAt);
  expect(await reindex(redis, keys, rules)).toBe(2);
  expect(await redis.hget(`${keys.prefix}budget:owner`, 'total')).toBe('17');
  const entries = await ledgerEntries(redis, keys.queuePrefix.slice(1, -1));
  expect(entries.map(({ id, costNanos }) => ({ id, costNanos }))).toEqual([{ id: half, costNanos: 17 }]);
});

it('frees slots of tasks that have none at the account, and of no others', async () => {
  const [running, elsewhere, waiting] = [
    await rig.admitted(),
    await rig.admitted({ account: 'other' }),
    await rig.admitted(),
  ];
  await rig.running(running);
  await rig.store.move(elsewhere, { from: ['queued'], to: 'failed' });
  const stray = ['video_gone', elsewhere];
  await rig.redis.sadd(`${rig.keys.prefix}in_flight:acme`, ...stray);
  await rig.redis.sadd(`${rig.keys.prefix}submitting:acme`, running, ...stray);
  await reindex(rig.redis, rig.keys, rules);
  expect((await rig.slots('in_flight')).toSorted()).toEqual([running, waiting].toSorted());
  expect(await rig.slots('submitting')).toEqual([waiting]);
});

it('releases the claim of a job with a half-ended task', async () => {
  const id = await rig.admitted();
  await rig.running(id, 'job');
  expect(await rig.redis.pttl(rig.keys.claimed('acme', 'job'))).toBe(-1);
  await rig.redis.hset(rig.keys.task(id), 'status', 'completed');
  await reindex(rig.redis, rig.keys, rules);
  // It expires, or has expired.
  expect(await rig.redis.pttl(rig.keys.claimed('acme', 'job'))).not.toBe(-1);
});
