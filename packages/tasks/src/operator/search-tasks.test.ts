import type { MediaTask, TaskStatus } from '@sluice/canonical';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operatorRig, type OperatorRig } from '../../test/operator-rig.ts';
import type { TaskOperator } from './task-operator.ts';

let rig: OperatorRig;
afterEach(() => rig.close());

const ids = (tasks: readonly MediaTask[]) => tasks.map(({ id }) => id);

async function walk(search: Omit<Parameters<TaskOperator['search']>[0], 'limit'> = {}, limit = 2): Promise<string[]> {
  const listed: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await rig.operator.search({ ...search, limit, ...(after !== undefined && { after }) });
    expect(page.tasks.length).toBeLessThanOrEqual(limit);
    listed.push(...ids(page.tasks));
    if (page.next === undefined) return listed;
    after = page.next;
  }
}

describe('searching tasks', () => {
  beforeEach(async () => {
    rig = await operatorRig();
  });

  it('lists lost submissions first, then the oldest tasks, each once over all pages', async () => {
    const created: MediaTask[] = [];
    const states = [
      'in_progress',
      'submit_unknown',
      'queued',
      'failed',
      'submitting',
      'completed',
      'finishing',
    ] as const;
    for (const status of [...states, ...states]) created.push(await rig.inState(status));
    const of = (...statuses: TaskStatus[]) =>
      ids(created.filter((_, i) => statuses.includes(states[i % states.length] ?? 'queued')));
    expect(await walk()).toEqual([...of('submit_unknown'), ...of('in_progress', 'queued', 'submitting', 'finishing')]);
    expect(await walk({ status: 'failed' })).toEqual(of('failed').toReversed());
    expect(await walk({ status: 'queued' }, 1)).toEqual(of('queued'));
    expect(await walk({ status: 'canceled' })).toEqual([]);
  });

  it('pages through tasks of one millisecond and several states without gaps or repeats', async () => {
    const created: string[] = [];
    for (let i = 0; i < 230; i++) {
      const { task } = await rig.engine.submit(rig.params({ ownerId: i < 200 ? 'owner' : 'zoe' }));
      if (i % 3 === 0) await rig.store.move(task.id, { from: ['queued'], to: 'submitting' });
      created.push(task.id);
    }
    for (const id of created) {
      await rig.redis.hset(rig.keys.task(id), 'createdAt', 1_800_000_000_000 + (created.indexOf(id) > 215 ? 1 : 0));
    }
    await rig.operator.reindex();
    const listed = await walk({}, 7);
    expect(listed).toHaveLength(230);
    expect(new Set(listed)).toEqual(new Set(created));
    // Most tasks are skipped. At some point, one state has no more tasks, while another is only partly read.
    expect(new Set(await walk({ owner: 'zoe' }, 7))).toEqual(new Set(created.slice(200)));
  });

  it('filters by owner, upstream, model, and age', async () => {
    const ownId = (await rig.engine.submit(rig.params({ ownerId: 'zoe' }))).task.id;
    const targets = [{ upstream: 'elsewhere', model: 'm' }];
    const away = (await rig.engine.submit(rig.params({ targets }))).task.id;
    const other = (await rig.engine.submit(rig.params({ model: 'rare' }))).task.id;
    expect(await walk({ owner: 'zoe' })).toEqual([ownId]);
    expect(await walk({ upstream: 'elsewhere' })).toEqual([away]);
    expect(await walk({ model: 'rare' })).toEqual([other]);
    expect(await walk({ olderThanMs: 3_600_000 })).toEqual([]);
    // Both tasks may be from the same millisecond, so their order is undefined.
    expect((await walk({ olderThanMs: 0, owner: 'owner' })).toSorted()).toEqual([away, other].toSorted());
  });

  it.each(['x', '2.1.video_1', '0.1', '0.1.a b', `0.1.${'v'.repeat(65)}`])('rejects the cursor %s', async (after) => {
    await expect(rig.operator.search({ after, limit: 1 })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'after',
    });
  });

  it('finds every task after the index was lost or damaged', async () => {
    const created = [await rig.inState('queued'), await rig.inState('in_progress'), await rig.inState('failed')];
    await rig.redis.del(rig.keys.state('queued'), rig.keys.state('failed'));
    await rig.redis.zadd(rig.keys.state('submit_unknown'), 1, created[1]?.id ?? '', 2, 'video_gone');
    expect(await rig.operator.reindex()).toBe(3);
    expect(await walk()).toEqual([created[0]?.id, created[1]?.id]);
    expect(await walk({ status: 'failed' })).toEqual([created[2]?.id]);
    expect(await rig.redis.exists(rig.keys.state('submit_unknown'))).toBe(0);
  });
});
