import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GroupRig, groupRig, OWNER } from '../test/group-rig.ts';

const NANOS = 1e9;
let rig: GroupRig;
beforeEach(() => {
  rig = groupRig();
});
afterEach(() => rig.close());

describe('create', () => {
  it('records a group with its videos, its estimate, and its cap', async () => {
    const group = await rig.create(3, { maxCostNanos: 5 * NANOS });
    expect(group).toMatchObject({
      status: 'in_progress',
      estimatedNanos: 3 * NANOS,
      maxCostNanos: 5 * NANOS,
      costNanos: 0,
    });
    expect(group.counts).toEqual({ pending: 3, queued: 0, in_progress: 0, completed: 0, failed: 0, cancelled: 0 });
    expect(await rig.store.items(group.id, 1, 1)).toEqual({
      items: [{ index: 1, state: 'pending', retries: 0, fields: { prompt: '1' }, previousTaskIds: [] }],
      hasMore: true,
    });
  });

  it('has no estimate if a price is unknown', async () => {
    const { estimatedNanos } = await rig.create(1, { items: [{ fields: {} }, { fields: {}, maxNanos: 1 }] });
    expect(estimatedNanos).toBeUndefined();
  });

  it('returns the same group for the same idempotency key and request', async () => {
    const { id } = await rig.create(1, { idempotencyKey: 'k' });
    const again = { shared: {}, items: [{ fields: {} }], headers: {}, digest: 'a', idempotencyKey: 'k' };
    expect(await rig.store.create(OWNER, again)).toMatchObject({ group: { id }, replayed: true });
    expect((await rig.store.create('bob', again)).replayed).toBe(false);
    await expect(rig.store.create(OWNER, { ...again, digest: 'b' })).rejects.toThrow(
      expect.objectContaining({ code: 'idempotency_key_reused' }),
    );
  });

  it('refuses more open groups than a key may have', async () => {
    for (let group = 0; group < 3; group++) await rig.create(1);
    await expect(rig.create(1)).rejects.toThrow(expect.objectContaining({ code: 'rate_limited' }));
  });
});

it('finds groups by owner and status, in pages of all owners', async () => {
  const ids: string[] = [];
  for (const owner of [OWNER, 'bob', OWNER]) {
    rig.clock.now += 1;
    const params = { shared: {}, items: [{ fields: {} }], headers: {}, digest: 'a' };
    ids.push((await rig.store.create(owner, params)).group.id);
  }
  await rig.store.cancel('bob', ids[1] ?? '');
  const found = async (search: Partial<Parameters<GroupRig['store']['search']>[0]> = {}) => {
    const { groups, next } = await rig.store.search({ limit: 10, ...search });
    return [groups.map(({ id }) => ids.indexOf(id)), next && ids.indexOf(next)];
  };
  expect(await found()).toEqual([[2, 1, 0], undefined]);
  expect(await found({ limit: 2 })).toEqual([[2, 1], 1]);
  expect(await found({ limit: 2, after: ids[1] })).toEqual([[0], undefined]);
  expect(await found({ owner: OWNER })).toEqual([[2, 0], undefined]);
  expect(await found({ status: 'cancelled' })).toEqual([[1], undefined]);
  // Groups that are older than the list of all groups are in it, too.
  await rig.redis.del(`{${rig.prefix}}:groups:all`);
  expect(await found()).toEqual([[2, 1, 0], undefined]);
  await rig.store.remove('bob', ids[1] ?? '');
  expect(await found()).toEqual([[2, 0], undefined]);
  expect(await rig.store.load(ids[0] ?? '')).toMatchObject({ owner: OWNER, status: 'in_progress' });
  await expect(rig.store.load('group_x')).rejects.toThrow(expect.objectContaining({ code: 'batch_not_found' }));
});

it('stores requests apart from the record that lists return, and limits their bytes for each owner', async () => {
  const long = { shared: { style: 'x'.repeat(33 * 2 ** 20) } };
  const { id } = await rig.create(1, long);
  const record = await rig.redis.hgetall(`{${rig.prefix}}:groups:group:${id}`);
  expect(JSON.stringify(record).length).toBeLessThan(2_000);
  await expect(rig.create(1, long)).rejects.toThrow(expect.objectContaining({ code: 'storage_quota_exceeded' }));
  await rig.store.cancel(OWNER, id);
  await expect(rig.create(1, long)).rejects.toThrow(expect.objectContaining({ code: 'storage_quota_exceeded' }));
  await rig.store.remove(OWNER, id);
  await rig.create(1, long);
});

it('shows a group only to its owner', async () => {
  const { id } = await rig.create(1);
  const missing = expect.objectContaining({ code: 'batch_not_found' });
  await expect(rig.store.find('bob', id)).rejects.toThrow(missing);
  await expect(rig.store.cancel('bob', id)).rejects.toThrow(missing);
  await expect(rig.store.retry('bob', id, false)).rejects.toThrow(missing);
  await expect(rig.store.remove('bob', id)).rejects.toThrow(missing);
  await expect(rig.store.find(OWNER, 'group_x')).rejects.toThrow(missing);
  expect(await rig.store.list('bob', { limit: 10 })).toEqual({ groups: [], hasMore: false });
});

it('lists groups, newest first, in pages', async () => {
  const ids: string[] = [];
  for (let group = 0; group < 3; group++) {
    rig.clock.now += 1_000;
    ids.unshift((await rig.create(1)).id);
  }
  const first = await rig.store.list(OWNER, { limit: 2 });
  expect([first.groups.map(({ id }) => id), first.hasMore]).toEqual([ids.slice(0, 2), true]);
  const second = await rig.store.list(OWNER, { after: ids[1], limit: 2 });
  expect([second.groups.map(({ id }) => id), second.hasMore]).toEqual([ids.slice(2), false]);
});

it('deletes a group only after its end', async () => {
  const { id } = await rig.create(2);
  const conflict = expect.objectContaining({ code: 'batch_conflict' });
  await expect(rig.store.remove(OWNER, id)).rejects.toThrow(conflict);
  expect(await rig.store.cancel(OWNER, id)).toMatchObject({ status: 'cancelled', counts: { cancelled: 2 } });
  await expect(rig.store.cancel(OWNER, id)).rejects.toThrow(conflict);
  await expect(rig.store.retry(OWNER, id, false)).rejects.toThrow(conflict);
  await rig.store.remove(OWNER, id);
  await expect(rig.store.find(OWNER, id)).rejects.toThrow(expect.objectContaining({ code: 'batch_not_found' }));
  expect(await rig.redis.keys(`{${rig.prefix}}:groups:*`)).toEqual([]);
});
