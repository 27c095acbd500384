import { OPEN_STATUSES, TASK_STATUSES } from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { startFaultProxy } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operatorRig, type OperatorRig, outcomeOf } from '../../test/operator-rig.ts';
import { openTaskOperator } from '../shards/open-task-operator.ts';
import type { OperatorResult } from './task-operator.ts';

let rig: OperatorRig;
afterEach(() => rig.close());

const ana = { by: 'ana', note: 'ticket 7' };
const act = { by: 'ana' };

const OPEN_FAILS = Object.fromEntries(OPEN_STATUSES.map((status) => [status, '→ failed']));
const FINAL = { completed: 'task_final', failed: 'task_final', canceled: 'task_final' };
const ACTS: [name: string, perform: (id: string) => Promise<OperatorResult>, outcomes: Record<string, string>][] = [
  [
    'adopt',
    (id) => rig.operator.adopt(id, { upstreamJobId: 'job-found' }, act),
    { submit_unknown: '→ in_progress', ...FINAL },
  ],
  ['fail', (id) => rig.operator.fail(id, 'given up', act), { ...OPEN_FAILS, ...FINAL }],
  ['resubmit', (id) => rig.operator.resubmit(id, 1, act), { submit_unknown: '→ queued', ...FINAL }],
  [
    'cancel',
    (id) => rig.operator.cancel(id, act),
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

describe('operator actions', () => {
  beforeEach(async () => {
    rig = await operatorRig();
  });

  it.each(TABLE)('%s a task that is %s: %s', async (name, status, outcome, perform) => {
    const { id } = await rig.inState(status);
    const before = await rig.operator.show(id);
    expect(await outcomeOf(perform(id))).toBe(outcome);
    const { task, timeline } = await rig.operator.show(id);
    const entries = timeline.filter(({ what }) => what === 'operator');
    if (!outcome.startsWith('→')) {
      expect({ task, timeline }).toEqual({ task: before.task, timeline: before.timeline });
      return;
    }
    expect(entries).toMatchObject([{ by: 'ana', status: task.status, revision: task.revision }]);
    // A repeated action changes nothing, no matter what the first call did.
    expect(await outcomeOf(perform(id))).toBe('unchanged');
    expect((await rig.operator.show(id)).task.revision).toBe(task.revision);
    expect(name).not.toBe('');
  });

  it('reject missing tasks', async () => {
    for (const id of ['video_01hzzzzzzz0123456789abcdef', 'nonsense']) {
      for (const [, perform] of ACTS) expect(await outcomeOf(perform(id))).toBe('not_found');
      await expect(rig.operator.show(id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('fail a task with the reason that its client reads and the matching code', async () => {
    const [lost, running] = [await rig.inState('submit_unknown'), await rig.inState('in_progress')];
    await rig.operator.fail(lost.id, 'The vendor has no trace of it.', ana);
    await rig.operator.fail(running.id, 'The vendor has an outage.', ana);
    expect((await rig.engine.find('owner', lost.id))?.error).toEqual({
      code: 'submission_unknown',
      message: 'The vendor has no trace of it.',
    });
    expect((await rig.engine.find('owner', running.id))?.error?.code).toBe('provider_error');
    const { timeline } = await rig.operator.show(lost.id);
    expect(timeline.at(-1)).toMatchObject({
      what: 'operator',
      outcome: 'failed',
      by: 'ana',
      note: 'ticket 7',
      reason: 'The vendor has no trace of it.',
    });
    expect(await outcomeOf(rig.operator.fail(lost.id, 'Another reason.', act))).toBe('task_final');
  });

  it('record the job of a task that failed as unknown, which stays failed, and claim the job', async () => {
    const [lost, other] = [await rig.inState('submit_unknown'), await rig.inState('submit_unknown')];
    const set = { errorCode: 'submission_unknown', errorMessage: 'unknown' };
    await rig.store.move(lost.id, { from: ['submit_unknown'], to: 'failed', set });
    expect(await outcomeOf(rig.operator.adopt(lost.id, { upstreamJobId: 'job-1' }, act))).toBe('→ failed');
    expect((await rig.operator.show(lost.id)).task).toMatchObject({ status: 'failed', upstreamId: 'job-1' });
    expect(await outcomeOf(rig.operator.adopt(lost.id, { upstreamJobId: 'job-2' }, act))).toBe('task_final');
    await expect(rig.operator.adopt(other.id, { upstreamJobId: 'job-1' }, act)).rejects.toMatchObject({
      code: 'task_conflict',
      message: `The job belongs to the task \`${lost.id}\`.`,
    });
    expect(await rig.stateOf(other.id)).toBe('submit_unknown');
  });

  it('never assign one job to two tasks or two jobs to one task under concurrency', async () => {
    const [one, other] = [await rig.inState('submit_unknown'), await rig.inState('submit_unknown')];
    const results = await Promise.all([
      ...Array.from({ length: 5 }, () => outcomeOf(rig.operator.adopt(one.id, { upstreamJobId: 'job-1' }, act))),
      ...Array.from({ length: 5 }, () => outcomeOf(rig.operator.adopt(other.id, { upstreamJobId: 'job-1' }, act))),
    ]);
    expect(results.filter((result) => result === '→ in_progress')).toHaveLength(1);
    expect(results.filter((result) => result === 'unchanged')).toHaveLength(4);
    expect(results.filter((result) => result === 'task_conflict')).toHaveLength(5);

    const third = await rig.inState('submit_unknown');
    const jobs = await Promise.all(
      ['job-2', 'job-3'].map((upstreamJobId) => outcomeOf(rig.operator.adopt(third.id, { upstreamJobId }, act))),
    );
    expect(jobs.toSorted()).toEqual(['task_conflict', '→ in_progress']);
  });

  it('replace a wrong job only if the request names it, and release its claim', async () => {
    const [one, other] = [await rig.inState('submit_unknown'), await rig.inState('submit_unknown')];
    await rig.operator.adopt(one.id, { upstreamJobId: 'job-0', upstreamPath: '/wrong' }, act);
    for (const insteadOf of [undefined, 'job-2']) {
      const correction = rig.operator.adopt(one.id, { upstreamJobId: 'job-1', ...(insteadOf && { insteadOf }) }, act);
      expect(await outcomeOf(correction)).toBe('task_conflict');
    }
    const correction = { upstreamJobId: 'job-1', insteadOf: 'job-0' };
    expect(await outcomeOf(rig.operator.adopt(one.id, correction, act))).toBe('→ in_progress');
    expect(await outcomeOf(rig.operator.adopt(one.id, correction, act))).toBe('unchanged');
    const { task } = await rig.operator.show(one.id);
    expect([task.upstreamId, task.upstreamPath]).toEqual(['job-1', undefined]);
    expect(await outcomeOf(rig.operator.adopt(other.id, { upstreamJobId: 'job-1' }, act))).toBe('task_conflict');
    expect(await outcomeOf(rig.operator.adopt(other.id, { upstreamJobId: 'job-0' }, act))).toBe('→ in_progress');

    // An operator may have set the right job id with the wrong path.
    const moved = { upstreamJobId: 'job-1', upstreamPath: '/right', insteadOf: 'job-1' };
    expect(await outcomeOf(rig.operator.adopt(one.id, moved, act))).toBe('→ in_progress');
    expect((await rig.operator.show(one.id)).task.upstreamPath).toBe('/right');
  });

  it('never remove a job that the vendor itself has returned', async () => {
    const { id } = await rig.inState('in_progress');
    const correction = { upstreamJobId: 'job-1', insteadOf: `job-${id}` };
    expect(await outcomeOf(rig.operator.adopt(id, correction, act))).toBe('task_conflict');
  });

  it('are executed once if several operators or actions compete', async () => {
    const { id } = await rig.inState('submit_unknown');
    const results = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(rig.operator.resubmit(id, 1, act))));
    expect(results.filter((result) => result === '→ queued')).toHaveLength(1);
    expect(results.filter((result) => result === 'unchanged')).toHaveLength(7);

    const torn = await rig.inState('submit_unknown');
    const different = await Promise.all([
      outcomeOf(rig.operator.fail(torn.id, 'given up', act)),
      outcomeOf(rig.operator.adopt(torn.id, { upstreamJobId: 'job-9' }, act)),
      outcomeOf(rig.operator.resubmit(torn.id, 1, act)),
    ]);
    expect(
      different.filter((result) => result === '→ failed' || result === '→ in_progress' || result === '→ queued').length,
    ).toBe((await rig.operator.show(torn.id)).timeline.filter(({ what }) => what === 'operator').length);
    expect(different).toContain('→ failed');
  });

  it('report which attempt is lost if the request names another', async () => {
    const { id } = await rig.inState('submit_unknown');
    await expect(rig.operator.resubmit(id, 2, act)).rejects.toMatchObject({
      code: 'task_conflict',
      message: 'The lost attempt is 1, not 2.',
    });
    await rig.operator.resubmit(id, 1, act);
    await rig.store.move(id, { from: ['queued'], to: 'submitting', set: { attempt: 2 } });
    await rig.store.move(id, { from: ['submitting'], to: 'submit_unknown' });
    expect(await outcomeOf(rig.operator.resubmit(id, 1, act))).toBe('unchanged');
    expect(await outcomeOf(rig.operator.resubmit(id, 2, act))).toBe('→ queued');
  });

  it('report an unknown outcome after a lost reply; a retry submits no second time', async () => {
    const { id } = await rig.inState('submit_unknown');
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
    const redis = { url: `redis://127.0.0.1:${proxy.port}` };
    const open = await openTaskOperator({ redis, prefix, settings, timeoutMs: 3_000, logger });
    try {
      await expect(open.operator.resubmit(id, 1, act)).rejects.toMatchObject({
        code: 'store_unavailable',
        retryable: true,
        message: expect.stringContaining('The outcome is unknown'),
      });
      isAwaited = false;
      proxy.release();
      await rig.store.move(id, { from: ['queued'], to: 'submitting', set: { attempt: 2 } });
      await rig.store.move(id, { from: ['submitting'], to: 'submit_unknown' });
      await expect.poll(() => outcomeOf(open.operator.resubmit(id, 1, act))).toBe('unchanged');
    } finally {
      await open.close();
      await proxy.close();
    }
  });

  it('exclude the job that a resubmitted attempt may have created from reconciliation', async () => {
    const one = await rig.inState('submit_unknown');
    await rig.operator.resubmit(one.id, 1, act);
    expect(await rig.store.countOpenSubmissions('vendor', 'f')).toBe(1);
    expect(await rig.redis.pttl(rig.keys.fingerprint('vendor', 'f'))).toBeGreaterThan(0);
    const other = await rig.inState('submit_unknown');
    expect(await rig.store.countOpenSubmissions('vendor', 'f')).toBe(2);
    await rig.operator.fail(other.id, 'given up', act);
    expect(await rig.store.countOpenSubmissions('vendor', 'f')).toBe(2);
  });
});
