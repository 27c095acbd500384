import type { Batch } from '@sluice/canonical';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchRig, batchRig, DAY_MS, LEASE_MS } from '../../test/batch-rig.ts';
import { createBatchStore } from '../batch-store.ts';
import { Leases } from './leases.ts';

let rig: BatchRig;
let leases: Leases;
beforeEach(async () => {
  rig = await batchRig();
  const { redis, prefix, clock } = rig;
  const logger = { warn: () => undefined };
  leases = new Leases({ redis, root: `{${prefix}}:`, leaseMs: LEASE_MS, now: () => clock.now, logger });
});
afterEach(async () => {
  leases.close();
  await rig.close();
});

/** Creates batches of these owners, one millisecond after the other. */
async function createAll(...owners: string[]): Promise<Batch[]> {
  const batches: Batch[] = [];
  for (const owner of owners) {
    rig.clock.now += 1;
    batches.push(await rig.create(1, {}, owner));
  }
  return batches;
}

const claimed = async (count: number) => {
  const ids: (string | undefined)[] = [];
  for (let claim = 0; claim < count; claim += 1) ids.push((await leases.claim([]))?.lease.id);
  return ids;
};

describe('a claim', () => {
  it('gives the oldest batch of the owner who was served longest ago', async () => {
    const [a1, a2, a3, b1, b2] = await createAll('alice', 'alice', 'alice', 'bob', 'bob');
    const expected = [a1, b1, a2, b2, a3].map((batch) => batch?.id);
    expect(await claimed(6)).toEqual([...expected, undefined]);
  });

  it('gives the highest priority first', async () => {
    const [a1, a2, b1] = await createAll('alice', 'alice', 'bob');
    await rig.store.change('bob', b1?.id ?? '', { priority: -1 });
    await rig.store.change('alice', a2?.id ?? '', { priority: 1 });
    expect(await claimed(3)).toEqual([a2?.id, a1?.id, b1?.id]);
  });

  it.each([
    ['one owner', () => 'alice'],
    ['as many owners', (at: number) => `owner-${String(at).padStart(4, '0')}`],
  ])('reaches all owners while %s has more busy batches than one scan', async (_, ownerOf) => {
    const { redis, prefix } = rig;
    const settings = { perOwner: 5_000, maxLines: 1, maxLineBytes: 1, maxInputBytes: 1, retentionMs: DAY_MS };
    const store = createBatchStore({ redis, prefix, settings });
    const common = { protocol: 'openai', endpoint: '/v1/x', windowMs: DAY_MS, metadata: {} } as const;
    const create = async (owner: string, model: string): Promise<string> => {
      const { id } = await store.create(owner, { ...common, inputFileId: 'file_1' });
      await redis.hset(`{${prefix}}:batches:batch:${id}`, { status: 'in_progress', model });
      return id;
    };
    await Promise.all(Array.from({ length: 2_500 }, (_value, at) => create(ownerOf(at), 'busy')));
    const free = [await create('yara', 'free'), await create('zoe', 'free'), await create('zoe', 'free')];
    const found: string[] = [];
    for (let claim = 0; claim < 10; claim += 1) {
      const id = (await leases.claim(['busy']))?.lease.id;
      if (id !== undefined) found.push(id);
    }
    expect(found.toSorted()).toEqual(free.toSorted());
  });

  it('gives a job again when its lease ends or is released', async () => {
    const [batch] = await createAll('alice');
    const first = await leases.claim([]);
    expect(first?.lease).toMatchObject({ id: batch?.id, job: 'validate' });
    expect(await leases.claim([])).toBeUndefined();
    rig.clock.now += LEASE_MS;
    const second = await leases.claim([]);
    expect(second?.lease.id).toBe(batch?.id);
    if (!first || !second) throw new Error('nothing was claimed');
    await leases.release(first.lease);
    expect(await leases.claim([])).toBeUndefined();
    await leases.release(second.lease, 500);
    expect(await leases.claim([])).toBeUndefined();
    rig.clock.now += 500;
    expect((await leases.claim([]))?.lease.id).toBe(batch?.id);
  });
});
