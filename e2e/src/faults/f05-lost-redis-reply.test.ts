import { type RedisProxy, startRedisProxy, type TaskRig, taskRig, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRunningPoll, type SentMove, sentMove } from './sent-move.ts';

let proxy: RedisProxy;
let rig: TaskRig;
beforeEach(async () => {
  proxy = await startRedisProxy(testRedis().redisUrl);
});
afterEach(async () => {
  await rig.close();
  await proxy.close();
});

type CommandFilter = (args: readonly string[]) => boolean;

const script = (args: readonly string[]) => args[0] === 'evalsha' || args[0] === 'eval';
const move =
  (matches: (move: SentMove) => boolean): CommandFilter =>
  (args) => {
    const sent = sentMove(args);
    return sent !== undefined && matches(sent);
  };
const toState = (state: string) => move(({ to }) => to === state);

const purge: CommandFilter = (args) => script(args) && args.length === 8 && args[3]?.includes(':task:') === true;

/** The scripts that run for a completed task, in order. */
const COMMANDS: Record<string, CommandFilter> = {
  admission: (args) => script(args) && args.includes('targets'),
  'BullMQ’s addition of the job': (args) => script(args) && args[3]?.endsWith(':tasks_vendor:wait') === true,
  'the claim': move(({ claim, to }) => claim !== undefined && to === undefined),
  'the intent': toState('submitting'),
  'the acceptance': toState('in_progress'),
  'a poll': isRunningPoll,
  'BullMQ’s delay of the job': (args) => script(args) && args[2] === '11' && args[6]?.endsWith(':delayed') === true,
  'the vendor’s success': toState('finishing'),
  completion: toState('completed'),
};

describe('a lost Redis response: the command is retried and takes effect once', () => {
  it.each(Object.entries(COMMANDS))('%s', async (_name, filter) => {
    rig = await taskRig({ redisUrl: proxy.url });
    await rig.startWorker();
    const lost = proxy.dropResponse(filter);
    const { task } = await rig.engine.submit(rig.params());
    await lost;
    expect(await rig.end(task)).toMatchObject({ status: 'completed', progress: 100, polls: 2, attempt: 1 });
    const { tasks, submissions, unknowns } = await rig.engine.stats();
    expect(Object.entries(tasks).filter(([, count]) => count !== 0)).toEqual([['completed', 1]]);
    expect([submissions, unknowns, rig.vendor.submissions.get(task.id)]).toEqual([1, 0, 1]);
  });

  it('when a rejected submission returns to the admission queue', async () => {
    let rejections = 1;
    rig = await taskRig({
      redisUrl: proxy.url,
      script: {
        submit: () => (rejections-- > 0 ? { kind: 'busy', code: 'rate_limited', message: 'slow down' } : undefined),
      },
    });
    await rig.startWorker();
    const lost = proxy.dropResponse(toState('queued'));
    const { task } = await rig.engine.submit(rig.params());
    await lost;
    expect(await rig.end(task)).toMatchObject({ status: 'completed', attempt: 2 });
    expect(rig.vendor.submissions.get(task.id)).toBe(2);
  });

  it('when a submission is recorded as unknown', async () => {
    rig = await taskRig({
      redisUrl: proxy.url,
      script: {
        submit: () => ({ kind: 'unknown', message: 'reset' }),
        find: () => ({ kind: 'candidates', jobs: [{ upstreamId: 'found' }] }),
      },
    });
    await rig.startWorker();
    const lost = proxy.dropResponse(toState('submit_unknown'));
    const { task } = await rig.engine.submit(rig.params());
    await lost;
    expect((await rig.end(task)).status).toBe('completed');
    const { unknowns, submissions } = await rig.engine.stats();
    expect([unknowns, submissions, rig.vendor.submissions.get(task.id)]).toEqual([1, 1, 1]);
  });

  it('when waiting tasks are dispatched: tasks without a response also continue', async () => {
    let rejections = 1;
    rig = await taskRig({
      redisUrl: proxy.url,
      caps: { maxSubmitting: 1 },
      settings: { retryMinMs: 50, retryMaxMs: 400 },
      // Only the sweeper dispatches tasks here, because the account is rate limited and the rejected task is canceled.
      script: {
        submit: async ({ taskId }) => {
          if (rejections-- <= 0) return undefined;
          await rig.engine.cancel('owner', taskId);
          return { kind: 'busy', code: 'rate_limited', message: 'later', retryAfterMs: 3_000 };
        },
      },
    });
    const paramsList = await Promise.all(Array.from({ length: 6 }, () => rig.engine.submit(rig.params())));
    // The sweeper's script receives only account names. The test drops the script's first reply that is not empty.
    const lost = proxy.dropResponse(
      (args, response) => script(args) && args.length === 7 && args[6] === 'vendor' && !response.startsWith('*0'),
    );
    await rig.startWorker();
    await lost;
    const ended = await Promise.all(paramsList.map(({ task }) => rig.end(task)));
    const rest = Array.from({ length: 5 }, () => 'completed');
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['canceled', ...rest]);
  });

  it('when an expired task is removed', async () => {
    rig = await taskRig({ redisUrl: proxy.url, settings: { retentionMs: 200 } });
    await rig.startWorker();
    const lost = proxy.dropResponse(purge);
    const { task } = await rig.engine.submit(rig.params());
    await lost;
    await expect.poll(() => rig.engine.find('owner', task.id)).toBeUndefined();
    const { tasks } = await rig.engine.stats();
    expect(Object.values(tasks).filter((count) => count !== 0)).toEqual([]);
  });
});
