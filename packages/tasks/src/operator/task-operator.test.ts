import {
  type MediaRequest,
  type MediaTask,
  OPEN_STATUSES,
  type PollOutcome,
  TASK_STATUSES,
  type TaskStatus,
} from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { openRedis, startFaultProxy, type TaskRig, taskRig } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyspace, type Keyspace } from '../keyspace.ts';
import type { NewTask } from '../task-engine.ts';
import { TaskStore } from '../task-store.ts';
import { openTaskOperator } from './open-task-operator.ts';
import type { OperatorResult, TaskOperator } from './task-operator.ts';

let rig: TaskRig;
let redis: Redis;
let keys: Keyspace;
let store: TaskStore;
let operator: TaskOperator;

async function start(options: Parameters<typeof taskRig>[0] = {}) {
  rig = await taskRig(options);
  redis = openRedis(rig.redisUrl);
  keys = createKeyspace(rig.prefix);
  store = new TaskStore(redis, keys, { now: Date.now, retentionMs: 600_000, submitUnknownMs: 60_000 });
  operator = rig.engine.operator;
}
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

const ana = { by: 'ana', note: 'ticket 7' };
const act = { by: 'ana' };

/** Puts a task into a state as workers would, without one; a lost submission had the attempt 1. */
async function inState(status: TaskStatus): Promise<MediaTask> {
  const { task } = await rig.engine.submit(rig.wish());
  if (status === 'queued') return task;
  await store.move(task.id, { from: ['queued'], to: 'submitting', set: { attempt: 1, fingerprint: 'f' } });
  if (status === 'submitting') return task;
  const isLost = status === 'submit_unknown';
  const set = isLost ? {} : { upstreamId: `job-${task.id}`, progress: 1 };
  await store.move(task.id, { from: ['submitting'], to: isLost ? 'submit_unknown' : 'in_progress', set });
  if (isLost || status === 'in_progress') return task;
  const error = { errorCode: 'provider_error', errorMessage: 'broken' };
  await store.move(task.id, { from: ['in_progress'], to: status, set: status === 'failed' ? error : {} });
  return task;
}

const stateOf = async (id: string) => (await store.loadState(id))?.status;

const ids = (tasks: readonly MediaTask[]) => tasks.map(({ id }) => id);

/** What became of an act, in one word. */
async function wordOf(result: Promise<OperatorResult>): Promise<string> {
  return result.then(
    ({ task, changed }) => (changed ? `→ ${task.status}` : 'unchanged'),
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}

const OPEN_FAILS = Object.fromEntries(OPEN_STATUSES.map((status) => [status, '→ failed']));
const FINAL = { completed: 'task_final', failed: 'task_final', canceled: 'task_final' };
const ACTS: [name: string, perform: (id: string) => Promise<OperatorResult>, outcomes: Record<string, string>][] = [
  [
    'adopt',
    (id) => operator.adopt(id, { upstreamJobId: 'job-found' }, act),
    { submit_unknown: '→ in_progress', ...FINAL },
  ],
  ['fail', (id) => operator.fail(id, 'given up', act), { ...OPEN_FAILS, ...FINAL }],
  ['resubmit', (id) => operator.resubmit(id, 1, act), { submit_unknown: '→ queued', ...FINAL }],
  [
    'cancel',
    (id) => operator.cancel(id, act),
    {
      queued: '→ canceled',
      submitting: '→ submitting',
      submit_unknown: '→ submit_unknown',
      in_progress: '→ canceling',
      canceling: 'unchanged',
      completed: 'task_final',
      failed: 'task_final',
      canceled: 'unchanged',
    },
  ],
];
const TABLE = ACTS.flatMap(([name, perform, outcomes]) =>
  TASK_STATUSES.map((status) => [name, status, outcomes[status] ?? 'task_conflict', perform] as const),
);

describe('what an operator does', () => {
  beforeEach(() => start());

  it.each(TABLE)('%s, of a task that is %s: %s', async (name, status, outcome, perform) => {
    const { id } = await inState(status);
    const before = await operator.show(id);
    expect(await wordOf(perform(id))).toBe(outcome);
    const { task, timeline } = await operator.show(id);
    const entries = timeline.filter(({ what }) => what === 'operator');
    if (!outcome.startsWith('→')) {
      expect({ task, timeline }).toEqual({ task: before.task, timeline: before.timeline });
      return;
    }
    expect(entries).toMatchObject([{ by: 'ana', status: task.status, revision: task.revision }]);
    // The same again changes nothing, wherever the first has led.
    expect(await wordOf(perform(id))).toBe('unchanged');
    expect((await operator.show(id)).task.revision).toBe(task.revision);
    expect(name).not.toBe('');
  });

  it('is not done to tasks that are not there', async () => {
    for (const id of ['video_01hzzzzzzz0123456789abcdef', 'nonsense']) {
      for (const [, perform] of ACTS) expect(await wordOf(perform(id))).toBe('not_found');
      await expect(operator.show(id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('fails a task with the reason, which its client reads, and the code that fits', async () => {
    const [lost, running] = [await inState('submit_unknown'), await inState('in_progress')];
    await operator.fail(lost.id, 'The vendor has no trace of it.', ana);
    await operator.fail(running.id, 'The vendor has an outage.', ana);
    expect((await rig.engine.find('owner', lost.id))?.error).toEqual({
      code: 'submission_unknown',
      message: 'The vendor has no trace of it.',
    });
    expect((await rig.engine.find('owner', running.id))?.error?.code).toBe('provider_error');
    const { timeline } = await operator.show(lost.id);
    expect(timeline.at(-1)).toMatchObject({
      what: 'operator',
      outcome: 'failed',
      by: 'ana',
      note: 'ticket 7',
      reason: 'The vendor has no trace of it.',
    });
    expect(await wordOf(operator.fail(lost.id, 'Another reason.', act))).toBe('task_final');
  });

  it('notes the job of a task that has failed as unknown, which stays failed, and keeps it from others', async () => {
    const [lost, other] = [await inState('submit_unknown'), await inState('submit_unknown')];
    const set = { errorCode: 'submission_unknown', errorMessage: 'unknown' };
    await store.move(lost.id, { from: ['submit_unknown'], to: 'failed', set });
    expect(await wordOf(operator.adopt(lost.id, { upstreamJobId: 'job-1' }, act))).toBe('→ failed');
    expect((await operator.show(lost.id)).task).toMatchObject({ status: 'failed', upstreamId: 'job-1' });
    expect(await wordOf(operator.adopt(lost.id, { upstreamJobId: 'job-2' }, act))).toBe('task_final');
    await expect(operator.adopt(other.id, { upstreamJobId: 'job-1' }, act)).rejects.toMatchObject({
      code: 'task_conflict',
      message: `The job belongs to the task ${lost.id}.`,
    });
    expect(await stateOf(other.id)).toBe('submit_unknown');
  });

  it('never gives one job to two tasks, nor one task two jobs, however many adopt at once', async () => {
    const [one, other] = [await inState('submit_unknown'), await inState('submit_unknown')];
    const words = await Promise.all([
      ...Array.from({ length: 5 }, () => wordOf(operator.adopt(one.id, { upstreamJobId: 'job-1' }, act))),
      ...Array.from({ length: 5 }, () => wordOf(operator.adopt(other.id, { upstreamJobId: 'job-1' }, act))),
    ]);
    expect(words.filter((word) => word === '→ in_progress')).toHaveLength(1);
    expect(words.filter((word) => word === 'unchanged')).toHaveLength(4);
    expect(words.filter((word) => word === 'task_conflict')).toHaveLength(5);

    const third = await inState('submit_unknown');
    const jobs = await Promise.all(
      ['job-2', 'job-3'].map((upstreamJobId) => wordOf(operator.adopt(third.id, { upstreamJobId }, act))),
    );
    expect(jobs.toSorted()).toEqual(['task_conflict', '→ in_progress']);
  });

  it('puts another job in the place of a wrong one for whoever names that one, and lets it go', async () => {
    const [one, other] = [await inState('submit_unknown'), await inState('submit_unknown')];
    await operator.adopt(one.id, { upstreamJobId: 'job-0', upstreamPath: '/wrong' }, act);
    for (const insteadOf of [undefined, 'job-2']) {
      const correction = operator.adopt(one.id, { upstreamJobId: 'job-1', ...(insteadOf && { insteadOf }) }, act);
      expect(await wordOf(correction)).toBe('task_conflict');
    }
    const correction = { upstreamJobId: 'job-1', insteadOf: 'job-0' };
    expect(await wordOf(operator.adopt(one.id, correction, act))).toBe('→ in_progress');
    expect(await wordOf(operator.adopt(one.id, correction, act))).toBe('unchanged');
    const { task } = await operator.show(one.id);
    expect([task.upstreamId, task.upstreamPath]).toEqual(['job-1', undefined]);
    expect(await wordOf(operator.adopt(other.id, { upstreamJobId: 'job-1' }, act))).toBe('task_conflict');
    expect(await wordOf(operator.adopt(other.id, { upstreamJobId: 'job-0' }, act))).toBe('→ in_progress');

    // The path alone can be wrong, too.
    const moved = { upstreamJobId: 'job-1', upstreamPath: '/right', insteadOf: 'job-1' };
    expect(await wordOf(operator.adopt(one.id, moved, act))).toBe('→ in_progress');
    expect((await operator.show(one.id)).task.upstreamPath).toBe('/right');
  });

  it('never takes a job away that the vendor itself has told', async () => {
    const { id } = await inState('in_progress');
    const correction = { upstreamJobId: 'job-1', insteadOf: `job-${id}` };
    expect(await wordOf(operator.adopt(id, correction, act))).toBe('task_conflict');
  });

  it('is done once when several operators do it at once, or one of several things', async () => {
    const { id } = await inState('submit_unknown');
    const words = await Promise.all(Array.from({ length: 8 }, () => wordOf(operator.resubmit(id, 1, act))));
    expect(words.filter((word) => word === '→ queued')).toHaveLength(1);
    expect(words.filter((word) => word === 'unchanged')).toHaveLength(7);

    const torn = await inState('submit_unknown');
    const different = await Promise.all([
      wordOf(operator.fail(torn.id, 'given up', act)),
      wordOf(operator.adopt(torn.id, { upstreamJobId: 'job-9' }, act)),
      wordOf(operator.resubmit(torn.id, 1, act)),
    ]);
    expect(
      different.filter((word) => word === '→ failed' || word === '→ in_progress' || word === '→ queued').length,
    ).toBe((await operator.show(torn.id)).timeline.filter(({ what }) => what === 'operator').length);
    expect(different).toContain('→ failed');
  });

  it('says which attempt is lost to whoever means another', async () => {
    const { id } = await inState('submit_unknown');
    await expect(operator.resubmit(id, 2, act)).rejects.toMatchObject({
      code: 'task_conflict',
      message: 'The attempt that is lost is 1, not 2.',
    });
    await operator.resubmit(id, 1, act);
    await store.move(id, { from: ['queued'], to: 'submitting', set: { attempt: 2 } });
    await store.move(id, { from: ['submitting'], to: 'submit_unknown' });
    expect(await wordOf(operator.resubmit(id, 1, act))).toBe('unchanged');
    expect(await wordOf(operator.resubmit(id, 2, act))).toBe('→ queued');
  });

  it('says what may have been done when the answer is lost; a repeat of it submits no second time', async () => {
    const { id } = await inState('submit_unknown');
    let isAwaited = false;
    const { pathname: path, port } = new URL(rig.redisUrl);
    const proxy = await startFaultProxy(port === '' ? { path } : { port: Number(port) }, () => ({
      toServer(chunk) {
        isAwaited ||= chunk.includes('resubmitted');
        return 'pass';
      },
      toClient: () => (isAwaited ? 'hold' : 'pass'),
    }));
    const logger = createLogger({ level: 'silent', name: 'test' });
    const { prefix, settings } = rig;
    const redisUrl = `redis://127.0.0.1:${proxy.port}`;
    const open = await openTaskOperator({ redisUrl, prefix, settings, timeoutMs: 3_000, logger });
    try {
      await expect(open.operator.resubmit(id, 1, act)).rejects.toMatchObject({
        code: 'store_unavailable',
        retryable: true,
        message: expect.stringContaining('may or may not have been done'),
      });
      isAwaited = false;
      proxy.release();
      await store.move(id, { from: ['queued'], to: 'submitting', set: { attempt: 2 } });
      await store.move(id, { from: ['submitting'], to: 'submit_unknown' });
      await expect.poll(() => wordOf(open.operator.resubmit(id, 1, act)), { timeout: 15_000 }).toBe('unchanged');
    } finally {
      await open.close();
      await proxy.close();
    }
  });

  it('keeps the job that a resubmitted attempt may have led to from all look-ups', async () => {
    const one = await inState('submit_unknown');
    await operator.resubmit(one.id, 1, act);
    expect(await store.openTwins('vendor', 'f')).toBe(1);
    expect(await redis.pttl(keys.fingerprint('vendor', 'f'))).toBeGreaterThan(0);
    const other = await inState('submit_unknown');
    expect(await store.openTwins('vendor', 'f')).toBe(2);
    await operator.fail(other.id, 'given up', act);
    expect(await store.openTwins('vendor', 'f')).toBe(2);
  });
});

const lost = { kind: 'unknown', message: 'The upstream did not answer in time' } as const;

/** Lost submissions stay lost, no sweeper helps whom nobody wakes, and no slow machine takes a step away. */
const ALONE = { submitUnknownMs: 60_000, sweepMs: 600_000, lockMs: 60_000 };

/** Submits a task whose first submission is lost. */
async function lostTask(overrides: Partial<NewTask> = {}): Promise<MediaTask> {
  const { task } = await rig.engine.submit(rig.wish(overrides));
  // At rest until its deadline: a wake-up that comes while a step ends would be left to the sweeper, which there is none of.
  const rests = async () => {
    const { status, dueAt = 0 } = (await store.loadState(task.id)) ?? {};
    const isDelayed = (await redis.zscore(`${keys.queuePrefix}:tasks_vendor:delayed`, task.id)) !== null;
    return status === 'submit_unknown' && isDelayed && dueAt > Date.now() + 10_000;
  };
  await expect.poll(rests, { timeout: 15_000 }).toBe(true);
  return task;
}

describe('with workers', () => {
  it('an adopted task is polled and completed, and submitted no second time', async () => {
    await start({ script: { submit: () => lost }, settings: ALONE });
    await rig.startWorker();
    const task = await lostTask();
    const polled: string[] = [];
    rig.vendor.script.poll = ({ upstreamId, path }) => {
      polled.push(`${upstreamId} ${path}`);
      return undefined;
    };
    await operator.adopt(task.id, { upstreamJobId: 'found', upstreamPath: '/videos' }, ana);
    expect((await rig.end(task)).status).toBe('completed');
    expect(new Set(polled)).toEqual(new Set(['found /videos']));
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
    // How long it took since its adoption is not how long such tasks take.
    expect(await store.usualMs(task)).toBeUndefined();
  });

  it('a job that the vendor does not know fails no task before the operator has put it right', async () => {
    await start({ script: { submit: () => lost }, settings: ALONE });
    await rig.startWorker();
    const task = await lostTask();
    const gone = { kind: 'failed', code: 'content_expired', message: 'The upstream no longer knows the job' } as const;
    const right: PollOutcome[] = [{ kind: 'running' }, gone];
    rig.vendor.script.poll = ({ upstreamId }) => (upstreamId === 'right' ? right.shift() : gone);
    await operator.adopt(task.id, { upstreamJobId: 'typo' }, act);
    const unclear = async () => (await operator.show(task.id)).task.unclearPolls;
    await expect.poll(unclear, { timeout: 15_000 }).toBeGreaterThan(1);
    expect(await stateOf(task.id)).toBe('in_progress');
    await operator.adopt(task.id, { upstreamJobId: 'right', insteadOf: 'typo' }, act);
    // Once it was there, that it is gone is believed.
    expect((await rig.end(task)).error?.code).toBe('content_expired');
  });

  it('what a poll of a wrong job tells after another has taken its place is not believed', async () => {
    await start({ script: { submit: () => lost }, settings: ALONE });
    await rig.startWorker();
    const task = await lostTask();
    const told = Promise.withResolvers<PollOutcome>();
    const polled: string[] = [];
    rig.vendor.script.poll = ({ upstreamId }) => {
      polled.push(upstreamId);
      return upstreamId === 'wrong' ? told.promise : undefined;
    };
    await operator.adopt(task.id, { upstreamJobId: 'wrong' }, act);
    await expect.poll(() => polled, { timeout: 15_000 }).toEqual(['wrong']);
    await operator.adopt(task.id, { upstreamJobId: 'right', insteadOf: 'wrong' }, act);
    told.resolve({ kind: 'failed', code: 'provider_error', message: 'the job of somebody else' });
    expect((await rig.end(task)).status).toBe('completed');
    expect((await operator.show(task.id)).task.upstreamId).toBe('right');
  });

  it('an adopted job is looked for where the request led to, unless the operator says where', async () => {
    await start({ script: { submit: () => lost }, settings: ALONE });
    const request: MediaRequest = { kind: 'video', prompt: 'a kite', images: [] };
    rig.vendor.jobPath = (model, { prompt }) => `/${model}/${prompt}`;
    await rig.startWorker();
    const polled: string[] = [];
    rig.vendor.script.poll = ({ upstreamId, path }) => {
      polled.push(`${upstreamId} ${path}`);
      return undefined;
    };
    const task = await lostTask({ request });
    await operator.adopt(task.id, { upstreamJobId: 'found' }, ana);
    expect((await rig.end(task)).status).toBe('completed');
    const other = await lostTask();
    await operator.adopt(other.id, { upstreamJobId: 'elsewhere', upstreamPath: '/there' }, ana);
    expect((await rig.end(other)).status).toBe('completed');
    expect(new Set(polled)).toEqual(new Set(['found /model-1/a kite', 'elsewhere /there']));
  });

  it('a resubmitted task is submitted exactly once more, and completed', async () => {
    let posts = 0;
    const submit = () => ((posts += 1) === 1 ? lost : undefined);
    await start({ script: { submit }, settings: ALONE });
    await rig.startWorker();
    const task = await lostTask();
    await operator.resubmit(task.id, 1, ana);
    const ended = await rig.end(task);
    expect([ended.status, ended.attempt]).toEqual(['completed', 2]);
    expect(rig.vendor.submissions.get(task.id)).toBe(2);
  });

  it('an answer that comes after the operator has failed the task changes nothing, and its job is called off', async () => {
    const answer = Promise.withResolvers<{ kind: 'accepted'; upstreamId: string }>();
    await start({ script: { submit: () => answer.promise, cancel: () => ({ kind: 'canceled' }) } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.wish());
    await expect.poll(() => stateOf(task.id), { timeout: 15_000 }).toBe('submitting');
    await operator.fail(task.id, 'given up', ana);
    answer.resolve({ kind: 'accepted', upstreamId: 'late' });
    await expect.poll(() => rig.vendor.canceled, { timeout: 15_000 }).toEqual([task.id]);
    expect(await stateOf(task.id)).toBe('failed');
  });

  it('whoever is first wins, operator or worker: each task ends once and in order', async () => {
    await start({ settings: { polling: { firstMs: 1, minMs: 1, maxMs: 5, onReadMs: 5 } } });
    await rig.startWorker();
    const tasks = await Promise.all(Array.from({ length: 30 }, async () => (await rig.engine.submit(rig.wish())).task));
    const words = await Promise.all(
      tasks.map(async ({ id }, i) => {
        await new Promise((resolve) => setTimeout(resolve, 3 * i));
        return wordOf(operator.fail(id, 'given up', act));
      }),
    );
    for (const [i, task] of tasks.entries()) {
      const { status } = await rig.end(task);
      expect(status).toBe(words[i] === '→ failed' ? 'failed' : 'completed');
      const { timeline } = await operator.show(task.id);
      expect(timeline.filter((entry) => entry.status === 'failed' || entry.status === 'completed')).toHaveLength(1);
      expect(timeline.at(-1)?.status).toBe(status);
    }
  });
});

async function walk(search: Omit<Parameters<TaskOperator['search']>[0], 'limit'> = {}, limit = 2): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await operator.search({ ...search, limit, ...(after !== undefined && { after }) });
    expect(page.tasks.length).toBeLessThanOrEqual(limit);
    found.push(...ids(page.tasks));
    if (page.next === undefined) return found;
    after = page.next;
  }
}

describe('a search', () => {
  beforeEach(() => start());

  it('gives lost submissions first, then the oldest, page by page, each once', async () => {
    const made: MediaTask[] = [];
    const states = [
      'in_progress',
      'submit_unknown',
      'queued',
      'failed',
      'submitting',
      'completed',
      'finishing',
    ] as const;
    for (const status of [...states, ...states]) made.push(await inState(status));
    const of = (...wanted: TaskStatus[]) =>
      ids(made.filter((_, i) => wanted.includes(states[i % states.length] ?? 'queued')));
    expect(await walk()).toEqual([...of('submit_unknown'), ...of('in_progress', 'queued', 'submitting', 'finishing')]);
    expect(await walk({ status: 'failed' })).toEqual(of('failed').toReversed());
    expect(await walk({ status: 'queued' }, 1)).toEqual(of('queued'));
    expect(await walk({ status: 'canceled' })).toEqual([]);
  });

  it('walks tasks of one millisecond and of several states without losing or repeating one', async () => {
    const made: string[] = [];
    for (let i = 0; i < 230; i++) {
      const { task } = await rig.engine.submit(rig.wish({ ownerId: i < 200 ? 'owner' : 'zoe' }));
      if (i % 3 === 0) await store.move(task.id, { from: ['queued'], to: 'submitting' });
      made.push(task.id);
    }
    for (const id of made) {
      await redis.hset(keys.task(id), 'createdAt', 1_800_000_000_000 + (made.indexOf(id) > 215 ? 1 : 0));
    }
    await operator.reindex();
    const found = await walk({}, 7);
    expect(found).toHaveLength(230);
    expect(new Set(found)).toEqual(new Set(made));
    // Most are passed over: one state is at its end where the other has been read in part.
    expect(new Set(await walk({ owner: 'zoe' }, 7))).toEqual(new Set(made.slice(200)));
  });

  it('filters by owner, upstream, model and age', async () => {
    const mine = (await rig.engine.submit(rig.wish({ ownerId: 'zoe' }))).task.id;
    const targets = [{ upstream: 'elsewhere', model: 'm' }];
    const away = (await rig.engine.submit(rig.wish({ targets }))).task.id;
    const other = (await rig.engine.submit(rig.wish({ model: 'rare' }))).task.id;
    expect(await walk({ owner: 'zoe' })).toEqual([mine]);
    expect(await walk({ upstream: 'elsewhere' })).toEqual([away]);
    expect(await walk({ model: 'rare' })).toEqual([other]);
    expect(await walk({ olderThanMs: 3_600_000 })).toEqual([]);
    // Of one millisecond, perhaps: then either comes first.
    expect((await walk({ olderThanMs: 0, owner: 'owner' })).toSorted()).toEqual([away, other].toSorted());
  });

  it.each(['x', '2.1.video_1', '0.1', '0.1.a b', `0.1.${'v'.repeat(65)}`])('refuses the place %s', async (after) => {
    await expect(operator.search({ after, limit: 1 })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'after',
    });
  });

  it('finds everything again once the index was lost or is wrong', async () => {
    const made = [await inState('queued'), await inState('in_progress'), await inState('failed')];
    await redis.del(keys.state('queued'), keys.state('failed'));
    await redis.zadd(keys.state('submit_unknown'), 1, made[1]?.id ?? '', 2, 'video_gone');
    expect(await operator.reindex()).toBe(3);
    expect(await walk()).toEqual([made[0]?.id, made[1]?.id]);
    expect(await walk({ status: 'failed' })).toEqual([made[2]?.id]);
    expect(await redis.exists(keys.state('submit_unknown'))).toBe(0);
  });
});

describe('a new index', () => {
  it('gives owners back the room that lost tasks have held', async () => {
    await start();
    const open = `${keys.prefix}open:owner`;
    const running = `${keys.prefix}running:owner`;
    const states = ['queued', 'submitting', 'submit_unknown', 'in_progress', 'finishing', 'failed'] as const;
    const made: Partial<Record<TaskStatus, string>> = {};
    for (const status of states) made[status] = (await inState(status)).id;
    const before = [await redis.smembers(open), await redis.smembers(running)];
    await redis.sadd(open, 'video_gone', made.failed ?? '');
    await redis.sadd(running, 'video_gone', made.failed ?? '', made.finishing ?? '');
    await redis.srem(open, made.queued ?? '');
    await redis.srem(running, made.in_progress ?? '', made.queued ?? '');
    await redis.sadd(`${keys.prefix}open:gone`, 'video_gone');
    await operator.reindex();
    const after = [await redis.smembers(open), await redis.smembers(running)];
    expect(after.map((set) => set.toSorted())).toEqual(before.map((set) => set.toSorted()));
    expect(await redis.exists(`${keys.prefix}open:gone`)).toBe(0);
  });
});

describe('an operator of its own', () => {
  it('works straight on Redis, and wakes workers', async () => {
    await start({
      script: { submit: () => ({ kind: 'unknown', message: 'lost' }) },
      settings: { submitUnknownMs: 60_000 },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.wish());
    await expect.poll(() => stateOf(task.id), { timeout: 15_000 }).toBe('submit_unknown');
    const logger = createLogger({ level: 'silent', name: 'test' });
    const { redisUrl, prefix, settings } = rig;
    const opened = await openTaskOperator({ redisUrl, prefix, settings, logger, timeoutMs: 5_000 });
    await opened.operator.adopt(task.id, { upstreamJobId: 'found' }, ana);
    await opened.close();
    expect((await rig.end(task)).status).toBe('completed');
  });

  it('says so when there is no Redis', async () => {
    await start();
    const logger = createLogger({ level: 'silent', name: 'test' });
    const options = { redisUrl: 'unix:///nowhere.sock', prefix: 'x', settings: rig.settings, logger, timeoutMs: 200 };
    await expect(openTaskOperator(options)).rejects.toThrow('Redis does not answer.');
  });
});
