import type { FindOutcome, SubmitOutcome } from '@sluice/canonical';
import { openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { createKeyspace, type Keyspace } from '../store/keyspace.ts';
import { TaskStore } from '../store/task-store.ts';

let rig: TaskRig;
let redis: Redis;
let keys: Keyspace;
/** The test uses this store to write like operators and other workers. */
let store: TaskStore;
async function start(options: Parameters<typeof taskRig>[0]): Promise<void> {
  rig = await taskRig(options);
  redis = openRedis(rig.redisUrl);
  keys = createKeyspace(rig.prefix);
  store = new TaskStore(redis, keys, { now: Date.now, retentionMs: 600_000, submitUnknownMs: 60_000 });
}
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

const LOST = { kind: 'unknown', message: 'reset' } as const;

/** Creates a response that the test resolves. */
function pendingResponse<T>() {
  const started = Promise.withResolvers<void>();
  const response = Promise.withResolvers<T>();
  const call = async (): Promise<T> => {
    started.resolve();
    return response.promise;
  };
  return { call, started: started.promise, response: response.resolve };
}

describe('a superseded attempt', () => {
  it('is accepted if its response arrives before the next attempt, so nothing is paid for twice', async () => {
    const submission = pendingResponse<SubmitOutcome>();
    await start({ script: { submit: submission.call, cancel: () => ({ kind: 'canceled' }) } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await submission.started;
    await store.move(task.id, { from: ['submitting'], to: 'submit_unknown' });
    // Pauses the account, so that its tasks stay in the admission queue.
    const pause = { requestedMs: 60_000, minMs: 60_000, maxMs: 60_000 };
    await store.move(task.id, { from: ['submit_unknown'], to: 'queued', enqueue: true, orphan: true, pause });
    submission.response({ kind: 'accepted', upstreamId: 'job' });
    expect((await rig.end(task)).status).toBe('completed');
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
    expect(rig.vendor.canceled).toEqual([]);
  });

  it('is not assigned jobs that reconciliation finds after an operator has ended the task', async () => {
    const lookUp = pendingResponse<FindOutcome>();
    await start({
      settings: { submitUnknownMs: 60_000 },
      script: { submit: () => LOST, find: lookUp.call, cancel: () => ({ kind: 'canceled' }) },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await lookUp.started;
    await rig.engine.operator.adopt(task.id, { upstreamJobId: 'ours' }, { by: 'ana' });
    lookUp.response({ kind: 'candidates', jobs: [{ upstreamId: 'ours' }, { upstreamId: 'of somebody else' }] });
    expect((await rig.end(task)).status).toBe('completed');
    expect(rig.vendor.canceled).toEqual([]);
  });

  it('is not assigned a job that reconciliation finds after its own rejection arrived', async () => {
    const lookUp = pendingResponse<FindOutcome>();
    await start({
      settings: { submitUnknownMs: 60_000 },
      script: { submit: ({ reference }) => (reference.endsWith('-1') ? LOST : undefined), find: lookUp.call },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await lookUp.started;
    await store.move(task.id, { from: ['submit_unknown'], to: 'queued', set: { deadlineAt: Date.now() + 60_000 } });
    lookUp.response({ kind: 'candidates', jobs: [{ upstreamId: 'of somebody else' }] });
    expect((await rig.end(task)).status).toBe('completed');
    expect((await store.loadState(task.id))?.upstreamId).not.toBe('of somebody else');
    expect(rig.vendor.submissions.get(task.id)).toBe(2);
  });

  it.each<[SubmitOutcome, string[]]>([
    [{ kind: 'busy', code: 'rate_limited', message: 'no' }, ['vendor']],
    [{ kind: 'account', code: 'provider_auth', message: 'no' }, ['vendor', 'vendor']],
  ])("restores the queue's deadline if a late response is %j", async (refusal, upstreams) => {
    const submission = pendingResponse<SubmitOutcome>();
    await start({ settings: { retryMinMs: 60_000, retryMaxMs: 60_000 }, script: { submit: submission.call } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(
      rig.params({ targets: upstreams.map((upstream) => ({ upstream, model: 'm' })) }),
    );
    await submission.started;
    const deadlineAt = (await store.loadState(task.id))?.deadlineAt;
    // Another worker has started to reconcile it.
    await store.move(task.id, { from: ['submitting'], to: 'submit_unknown', set: { deadlineAt: Date.now() + 1_000 } });
    submission.response(refusal);
    await expect.poll(async () => (await store.loadState(task.id))?.status).not.toBe('submit_unknown');
    expect((await store.loadState(task.id))?.deadlineAt).toBe(deadlineAt);
  });

  it('preserves the deadline that an operator gave the next attempt, even if that is lost too', async () => {
    const settings = { queueDeadlineMs: 1_500, submitUnknownMs: 60_000, retryMinMs: 50, retryMaxMs: 50 };
    let isFound = false;
    await start({
      settings,
      script: {
        submit: ({ reference }) => (reference.endsWith('-3') ? undefined : LOST),
        find: () => (isFound ? { kind: 'none' } : { kind: 'unclear', message: 'away' }),
      },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(async () => (await store.loadState(task.id))?.status).toBe('submit_unknown');
    await redis.hincrby(keys.task(task.id), 'createdAt', -60_000); // Simulates that a minute has passed.
    await rig.engine.operator.resubmit(task.id, 1, { by: 'ana' });
    await expect.poll(async () => (await store.loadState(task.id))?.attempt).toBe(2);
    isFound = true;
    expect((await rig.end(task)).status).toBe('completed');
  });
});

describe('a deadline', () => {
  it('limits a task whose vendor requests a much later poll', async () => {
    await start({
      settings: { queueDeadlineMs: 1_000, retryMaxMs: 600_000 },
      script: { submit: () => ({ kind: 'busy', code: 'rate_limited', message: 'x', retryAfterMs: 3_600_000 }) },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect((await rig.end(task)).error?.code).toBe('deadline_exceeded');
  });

  it('ends a task as canceled if its owner canceled it and the vendor never confirmed', async () => {
    const cancellation = pendingResponse<{ kind: 'unclear'; message: string }>();
    await start({ script: { poll: () => ({ kind: 'running' }), cancel: cancellation.call } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(async () => (await store.loadState(task.id))?.status).toBe('in_progress');
    await rig.engine.cancel('owner', task.id);
    await cancellation.started;
    await redis.hset(keys.task(task.id), 'deadlineAt', 1);
    cancellation.response({ kind: 'unclear', message: 'away' });
    expect(await rig.end(task)).toMatchObject({ status: 'canceled', error: { code: 'canceled' } });
  });
});

describe('a worker without an account', () => {
  it("does not keep other workers from recovering the account's tasks", async () => {
    await start({});
    const { task } = await rig.engine.submit(rig.params());
    // The engine adds the job after the submission.
    await expect.poll(() => redis.exists(`${keys.queuePrefix}:tasks_vendor:${task.id}`)).toBe(1);
    const queues = await redis.keys(`${keys.queuePrefix}:*:${task.id}`);
    await redis.del(...queues.filter((key) => key !== keys.task(task.id))); // Deletes the task's wake-up.
    await redis.del(...(await redis.keys(`${keys.queuePrefix}:*:wait`)));
    await redis.zadd(keys.due, 1, task.id);
    const otherWorker = await rig.startWorker({ accounts: { other: { maxSubmitting: 1, video: rig.vendor } } });
    await expect.poll(async () => Number(await redis.zscore(keys.due, task.id))).toBeGreaterThan(1);
    await otherWorker.close(1_000);
    await rig.startWorker();
    expect((await rig.end(task)).status).toBe('completed');
  });
});
