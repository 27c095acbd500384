import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchRig, batchRig, DAY_MS } from '../test/batch-rig.ts';

let rig: BatchRig;
beforeEach(async () => {
  rig = await batchRig();
});
afterEach(() => rig.close());

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('batches', () => {
  it('are recorded with what the client chose, and are found only by their owner', async () => {
    const chosen = {
      metadata: { team: 'search' },
      labels: { team: 'a' },
      priority: 5,
      retryUnknown: true,
      maxCostUsd: 2,
      displayName: 'nightly',
      ownsInput: true,
    };
    const batch = await rig.create(1, chosen);
    expect(batch).toMatchObject({ ...chosen, status: 'validating', paused: false, errors: [] });
    expect(batch.expiresAt).toBe(rig.clock.now + DAY_MS);
    expect(batch.counts).toEqual({ total: 0, completed: 0, failed: 0, expired: 0, cancelled: 0 });
    expect(await rig.store.find('alice', batch.id)).toEqual(batch);
    await expect(rig.store.find('bob', batch.id)).rejects.toEqual(code('batch_not_found'));
    await expect(rig.store.cancel('bob', batch.id)).rejects.toEqual(code('batch_not_found'));
    await expect(rig.store.find('alice', 'batch_x')).rejects.toEqual(code('batch_not_found'));
  });

  it('are listed newest first, in pages in both directions', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      rig.clock.now += 1;
      ids.unshift((await rig.create(1)).id);
    }
    await rig.create(1, {}, 'bob');
    const idsOf = async (listing: Parameters<BatchRig['store']['list']>[1]) => {
      const { batches, hasMore } = await rig.store.list('alice', listing);
      return [batches.map(({ id }) => ids.indexOf(id)), hasMore];
    };
    expect(await idsOf({ limit: 2 })).toEqual([[0, 1], true]);
    expect(await idsOf({ limit: 3, after: ids[1] })).toEqual([[2, 3, 4], false]);
    expect(await idsOf({ limit: 2, before: ids[3] })).toEqual([[1, 2], true]);
  });

  it('are found by owner, status, and model, in pages of all owners', async () => {
    const ids: string[] = [];
    for (const owner of ['alice', 'bob', 'alice', 'carol']) {
      rig.clock.now += 1;
      ids.push((await rig.create(1, {}, owner)).id);
    }
    await rig.store.cancel('alice', ids[2] ?? '');
    const found = async (search: Partial<Parameters<BatchRig['store']['search']>[0]> = {}) => {
      const { batches, next } = await rig.store.search({ limit: 10, ...search });
      return [batches.map(({ id }) => ids.indexOf(id)), next && ids.indexOf(next)];
    };
    expect(await found()).toEqual([[3, 2, 1, 0], undefined]);
    expect(await found({ limit: 2 })).toEqual([[3, 2], 2]);
    expect(await found({ limit: 2, after: ids[2] })).toEqual([[1, 0], undefined]);
    expect(await found({ owner: 'alice' })).toEqual([[2, 0], undefined]);
    expect(await found({ status: 'cancelled' })).toEqual([[2], undefined]);
    expect(await found({ model: 'other' })).toEqual([[], undefined]);
    // A batch that is older than the list of all batches is added to it.
    await rig.redis.del(`{${rig.prefix}}:batches:all`);
    expect(await found()).toEqual([[2], undefined]);
    await rig.store.change('bob', ids[1] ?? '', { priority: 1 });
    expect(await found()).toEqual([[2, 1], undefined]);
    await rig.store.remove('alice', ids[2] ?? '');
    expect(await found()).toEqual([[1], undefined]);
  });

  it('are read in pages of 1,000 entries, which can have no match', async () => {
    await rig.create(1, {}, 'bob');
    const fillers = Array.from({ length: 1_500 }, (_, at) => `batch_z${String(at).padStart(4, '0')}`);
    await rig.redis.zadd(`{${rig.prefix}}:batches:all`, ...fillers.flatMap((id) => [0, id]));
    const first = await rig.store.search({ status: 'validating', limit: 10 });
    expect(first).toEqual({ batches: [], next: 'batch_z0500' });
    expect(await rig.store.search({ status: 'validating', limit: 10, after: first.next })).toMatchObject({
      batches: [{ owner: 'bob' }],
    });
  });

  it('are refused above the maximum of open batches of a key', async () => {
    for (let count = 0; count < 10; count += 1) await rig.create(1);
    await expect(rig.create(1)).rejects.toEqual(code('rate_limited'));
    await rig.create(1, {}, 'bob');
    const { batches } = await rig.store.list('alice', { limit: 1 });
    await rig.store.cancel('alice', batches[0]?.id ?? '');
    await rig.create(1);
    expect(await rig.store.stats()).toMatchObject({ open: 11, ended: { cancelled: 1 } });
  });

  it('are created once for each idempotency key, owner, and operation', async () => {
    const { inputFileId } = await rig.create(1);
    const params = { inputFileId, protocol: 'openai', endpoint: '/v1/x', windowMs: DAY_MS, metadata: {} } as const;
    const once = (key: string, digest = 'a', owner = 'alice', operation = 'create') =>
      rig.store.createOnce(owner, params, { key, operation, digest });
    const first = await once('k');
    expect(first.isReplayed).toBe(false);
    expect(await once('k')).toEqual({ batch: first.batch, isReplayed: true });
    await expect(once('k', 'b')).rejects.toEqual(code('idempotency_key_reused'));
    const others = await Promise.all([once('l'), once('k', 'a', 'bob'), once('k', 'a', 'alice', 'other')]);
    expect(others.map(({ isReplayed }) => isReplayed)).toEqual([false, false, false]);
    await rig.store.cancel('alice', first.batch.id);
    await rig.store.remove('alice', first.batch.id);
    await expect(once('k')).rejects.toEqual(code('batch_not_found'));
  });

  it('can be deleted after they have ended, and cannot be changed then', async () => {
    const { id } = await rig.create(1);
    await expect(rig.store.remove('alice', id)).rejects.toEqual(code('batch_conflict'));
    expect(await rig.store.change('alice', id, { paused: true, priority: -3 })).toMatchObject({
      paused: true,
      priority: -3,
    });
    expect((await rig.store.cancel('alice', id)).status).toBe('cancelled');
    await expect(rig.store.cancel('alice', id)).rejects.toEqual(code('batch_conflict'));
    await expect(rig.store.change('alice', id, { paused: false })).rejects.toEqual(code('batch_conflict'));
    await rig.store.remove('alice', id);
    await expect(rig.store.find('alice', id)).rejects.toEqual(code('batch_not_found'));
    expect(await rig.redis.keys(`*${id}*`)).toEqual([]);
  });

  it('are deleted with the input that the gateway wrote, when their retention ends', async () => {
    const batch = await rig.create(1, { ownsInput: true });
    rig.startWorker();
    await rig.ended(batch);
    rig.clock.now += DAY_MS;
    rig.startWorker();
    await expect.poll(() => rig.store.load(batch.id)).toBeUndefined();
    await expect(rig.files.find('alice', batch.inputFileId)).rejects.toEqual(code('file_not_found'));
  });

  it('are unavailable while Redis is', async () => {
    rig.redis.disconnect();
    await expect(rig.store.list('alice', { limit: 1 })).rejects.toEqual(code('store_unavailable'));
  });
});
