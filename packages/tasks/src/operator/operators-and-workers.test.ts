import type { MediaRequest, MediaTask, PollOutcome } from '@sluice/canonical';
import { afterEach, describe, expect, it } from 'vitest';
import { operatorRig, type OperatorRig, outcomeOf } from '../../test/operator-rig.ts';
import type { NewTask } from '../engine/task-requests.ts';

let rig: OperatorRig;
afterEach(() => rig.close());

const ana = { by: 'ana', note: 'ticket 7' };
const act = { by: 'ana' };
const lost = { kind: 'unknown', message: 'The upstream did not respond in time' } as const;

/**
 * Settings that prevent other changes to the tasks: lost submissions are not given up, the sweeper does not run, and no
 * lock expires on a slow machine.
 */
const ISOLATED = { submitUnknownMs: 60_000, sweepMs: 600_000, lockMs: 60_000 };

async function lostTask(overrides: Partial<NewTask> = {}): Promise<MediaTask> {
  const { task } = await rig.engine.submit(rig.params(overrides));
  // Whether the task now waits for its deadline. The test must not send a wake-up while a step ends, because only the
  // sweeper would restore it, and the sweeper does not run here.
  const isIdle = async () => {
    const { status, dueAt = 0 } = (await rig.store.loadState(task.id)) ?? {};
    const isDelayed = (await rig.redis.zscore(`${rig.keys.queuePrefix}:tasks_vendor:delayed`, task.id)) !== null;
    return status === 'submit_unknown' && isDelayed && dueAt > Date.now() + 10_000;
  };
  await expect.poll(isIdle).toBe(true);
  return task;
}

describe('operators beside running workers', () => {
  it('complete an adopted task without a second submission', async () => {
    rig = await operatorRig({ script: { submit: () => lost }, settings: ISOLATED });
    await rig.startWorker();
    const task = await lostTask();
    const polled: string[] = [];
    rig.vendor.script.poll = ({ upstreamId, path }) => {
      polled.push(`${upstreamId} ${path}`);
      return undefined;
    };
    await rig.operator.adopt(task.id, { upstreamJobId: 'found', upstreamPath: '/videos' }, ana);
    expect((await rig.end(task)).status).toBe('completed');
    expect(new Set(polled)).toEqual(new Set(['found /videos']));
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
    // The running time after an adoption must not change the typical running time.
    expect(await rig.store.usualMs(task)).toBeUndefined();
  });

  it('may correct an unknown job before it fails its task', async () => {
    rig = await operatorRig({ script: { submit: () => lost }, settings: ISOLATED });
    await rig.startWorker();
    const task = await lostTask();
    const contentExpired = {
      kind: 'failed',
      code: 'content_expired',
      message: 'The upstream no longer knows the job',
    } as const;
    const right: PollOutcome[] = [{ kind: 'running' }, contentExpired];
    rig.vendor.script.poll = ({ upstreamId }) => (upstreamId === 'right' ? right.shift() : contentExpired);
    await rig.operator.adopt(task.id, { upstreamJobId: 'typo' }, act);
    const unclear = async () => (await rig.operator.show(task.id)).task.unclearPolls;
    await expect.poll(unclear).toBeGreaterThan(1);
    expect(await rig.stateOf(task.id)).toBe('in_progress');
    await rig.operator.adopt(task.id, { upstreamJobId: 'right', insteadOf: 'typo' }, act);
    // After one successful poll, a job that the vendor no longer knows is considered expired.
    expect((await rig.end(task)).error?.code).toBe('content_expired');
  });

  it('discard the poll of a wrong job after it was replaced', async () => {
    rig = await operatorRig({ script: { submit: () => lost }, settings: ISOLATED });
    await rig.startWorker();
    const task = await lostTask();
    const pollResult = Promise.withResolvers<PollOutcome>();
    const polled: string[] = [];
    rig.vendor.script.poll = ({ upstreamId }) => {
      polled.push(upstreamId);
      return upstreamId === 'wrong' ? pollResult.promise : undefined;
    };
    await rig.operator.adopt(task.id, { upstreamJobId: 'wrong' }, act);
    await expect.poll(() => polled).toEqual(['wrong']);
    await rig.operator.adopt(task.id, { upstreamJobId: 'right', insteadOf: 'wrong' }, act);
    pollResult.resolve({ kind: 'failed', code: 'provider_error', message: 'the job of somebody else' });
    expect((await rig.end(task)).status).toBe('completed');
    expect((await rig.operator.show(task.id)).task.upstreamId).toBe('right');
  });

  it('poll an adopted job at the path of the request unless the operator names one', async () => {
    rig = await operatorRig({ script: { submit: () => lost }, settings: ISOLATED });
    const request: MediaRequest = { kind: 'video', prompt: 'a kite', images: [] };
    rig.vendor.jobPath = (model, { prompt }) => `/${model}/${prompt}`;
    await rig.startWorker();
    const polled: string[] = [];
    rig.vendor.script.poll = ({ upstreamId, path }) => {
      polled.push(`${upstreamId} ${path}`);
      return undefined;
    };
    const task = await lostTask({ request });
    await rig.operator.adopt(task.id, { upstreamJobId: 'found' }, ana);
    expect((await rig.end(task)).status).toBe('completed');
    const other = await lostTask();
    await rig.operator.adopt(other.id, { upstreamJobId: 'elsewhere', upstreamPath: '/there' }, ana);
    expect((await rig.end(other)).status).toBe('completed');
    expect(new Set(polled)).toEqual(new Set(['found /model-1/a kite', 'elsewhere /there']));
  });

  it('resubmit a task exactly once and complete it', async () => {
    let posts = 0;
    const submit = () => ((posts += 1) === 1 ? lost : undefined);
    rig = await operatorRig({ script: { submit }, settings: ISOLATED });
    await rig.startWorker();
    const task = await lostTask();
    await rig.operator.resubmit(task.id, 1, ana);
    const ended = await rig.end(task);
    expect([ended.status, ended.attempt]).toEqual(['completed', 2]);
    expect(rig.vendor.submissions.get(task.id)).toBe(2);
  });

  it('ignore a response that arrives after an operator has failed the task, and cancel its job', async () => {
    const response = Promise.withResolvers<{ kind: 'accepted'; upstreamId: string }>();
    rig = await operatorRig({ script: { submit: () => response.promise, cancel: () => ({ kind: 'canceled' }) } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(() => rig.stateOf(task.id)).toBe('submitting');
    await rig.operator.fail(task.id, 'given up', ana);
    response.resolve({ kind: 'accepted', upstreamId: 'late' });
    await expect.poll(() => rig.vendor.canceled).toEqual([task.id]);
    expect(await rig.stateOf(task.id)).toBe('failed');
  });

  it('end each task once and in order, whether an operator or a worker is first', async () => {
    rig = await operatorRig({ settings: { polling: { firstMs: 1, minMs: 1, maxMs: 5, onReadMs: 5 } } });
    await rig.startWorker();
    const tasks = await Promise.all(
      Array.from({ length: 30 }, async () => (await rig.engine.submit(rig.params())).task),
    );
    const results = await Promise.all(
      tasks.map(async ({ id }, i) => {
        await new Promise((resolve) => setTimeout(resolve, 3 * i));
        return outcomeOf(rig.operator.fail(id, 'given up', act));
      }),
    );
    for (const [i, task] of tasks.entries()) {
      const { status } = await rig.end(task);
      expect(status).toBe(results[i] === '→ failed' ? 'failed' : 'completed');
      const { timeline } = await rig.operator.show(task.id);
      expect(timeline.filter((entry) => entry.status === 'failed' || entry.status === 'completed')).toHaveLength(1);
      expect(timeline.at(-1)?.status).toBe(status);
    }
  });
});
