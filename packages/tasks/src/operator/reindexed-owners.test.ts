import type { TaskStatus } from '@sluice/canonical';
import { afterEach, describe, expect, it } from 'vitest';
import { operatorRig, type OperatorRig } from '../../test/operator-rig.ts';

let rig: OperatorRig;
afterEach(() => rig.close());

describe('reindexing', () => {
  it('returns capacity that lost tasks have reserved to owners', async () => {
    rig = await operatorRig();
    const open = `${rig.keys.prefix}open:owner`;
    const running = `${rig.keys.prefix}running:owner`;
    const states = ['queued', 'submitting', 'submit_unknown', 'in_progress', 'finishing', 'failed'] as const;
    const tasks: Partial<Record<TaskStatus, string>> = {};
    for (const status of states) tasks[status] = (await rig.inState(status)).id;
    const before = [await rig.redis.smembers(open), await rig.redis.smembers(running)];
    await rig.redis.sadd(open, 'video_gone', tasks.failed ?? '');
    await rig.redis.sadd(running, 'video_gone', tasks.failed ?? '', tasks.finishing ?? '');
    await rig.redis.srem(open, tasks.queued ?? '');
    await rig.redis.srem(running, tasks.in_progress ?? '', tasks.queued ?? '');
    await rig.redis.sadd(`${rig.keys.prefix}open:gone`, 'video_gone');
    await rig.operator.reindex();
    const after = [await rig.redis.smembers(open), await rig.redis.smembers(running)];
    expect(after.map((set) => set.toSorted())).toEqual(before.map((set) => set.toSorted()));
    expect(await rig.redis.exists(`${rig.keys.prefix}open:gone`)).toBe(0);
  });
});
