import type { VideoRequest } from '@sluice/canonical';
import { openRedis, type ScriptedVendor, type TaskRig, taskRig, TINY_MP4 } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createKeyspace } from '../store/keyspace.ts';

let rig: TaskRig;
afterEach(() => rig.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates a submission that the test resolves. */
function pendingSubmission(): {
  script: ScriptedVendor['script'];
  started: Promise<void>;
  response(as: HeldResponse): void;
} {
  const started = Promise.withResolvers<void>();
  const response = Promise.withResolvers<HeldResponse>();
  const submit = async () => {
    started.resolve();
    return response.promise;
  };
  return {
    script: { submit, cancel: () => ({ kind: 'canceled' }) },
    started: started.promise,
    response: response.resolve,
  };
}
type HeldResponse = Awaited<ReturnType<NonNullable<ScriptedVendor['script']['submit']>>>;

/** Yields bytes endlessly and ignores every abort. */
async function* drip(first: Uint8Array): AsyncGenerator<Uint8Array> {
  yield first;
  for (;;) {
    await pause(30);
    yield Buffer.from('x');
  }
}

const imageByUrl: VideoRequest = {
  kind: 'video',
  prompt: 'by URL',
  images: [{ role: 'reference', source: { kind: 'url', url: 'http://x/' } }],
};

describe('a cancellation during the submission', () => {
  it('ends the task without a resubmission if the vendor is busy', async () => {
    const pending = pendingSubmission();
    rig = await taskRig({ script: pending.script });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await pending.started;
    await rig.engine.cancel('owner', task.id);
    pending.response({ kind: 'busy', code: 'rate_limited', message: 'later' });
    expect((await rig.end(task)).status).toBe('canceled');
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
  });
});

describe('a vendor response that arrives after another worker has claimed the task', () => {
  it.each([
    [{ kind: 'rejected', code: 'content_policy', message: 'no' }, 'failed', 'content_policy'],
    [{ kind: 'accepted', upstreamId: 'job' }, 'completed', undefined],
  ] as const)('is recorded: %j', async (response, status, code) => {
    const pending = pendingSubmission();
    rig = await taskRig({ script: pending.script });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await pending.started;
    const redis = openRedis(rig.redisUrl);
    await redis.hincrby(createKeyspace(rig.prefix).task(task.id), 'epoch', 1); // Increments the epoch, as a claim does.
    redis.disconnect();
    pending.response(response);
    const ended = await rig.end(task);
    expect(ended.status).toBe(status);
    expect(ended.error?.code).toBe(code);
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
  });
});

describe('a busy vendor', () => {
  it('receives no request of the backlog until its retry time, which may be at once', async () => {
    let posts = 0;
    rig = await taskRig({
      settings: { retryMinMs: 200, retryMaxMs: 200 },
      caps: { maxSubmitting: 4 },
      script: {
        submit: () => {
          posts += 1;
          return { kind: 'busy', code: 'rate_limited', message: 'x', retryAfterMs: 0 };
        },
      },
    });
    await rig.startWorker();
    await Promise.all(Array.from({ length: 100 }, () => rig.engine.submit(rig.params())));
    await pause(150);
    expect(posts).toBeLessThanOrEqual(8);
  });
});

describe("a client's slow image server", () => {
  it('delays no other task and ends at the deadline', async () => {
    rig = await taskRig({ caps: { maxSubmitting: 1 }, settings: { queueDeadlineMs: 1_000 } });
    await rig.startWorker({ fetchInput: async () => ({ body: drip(Buffer.from('x')), mediaType: 'image/png' }) });
    const slow = await rig.engine.submit(rig.params({ ownerId: 'slow', request: imageByUrl }));
    const other = await rig.engine.submit(rig.params({ ownerId: 'other' }));
    expect((await rig.end(other.task)).status).toBe('completed');
    expect((await rig.end(slow.task)).error?.code).toBe('deadline_exceeded');
  });

  it('occupies no slot while its failing URL is retried', async () => {
    rig = await taskRig({ caps: { maxSubmitting: 1 }, settings: { retryMinMs: 300, retryMaxMs: 500 } });
    await rig.startWorker({ fetchInput: () => Promise.reject(new Error('refused')) });
    const unreachable = await rig.engine.submit(rig.params({ ownerId: 'slow', request: imageByUrl }));
    const other = await rig.engine.submit(rig.params({ ownerId: 'other' }));
    expect((await rig.end(other.task)).status).toBe('completed');
    expect((await rig.engine.find('slow', unreachable.task.id))?.status).toBe('queued');
    expect((await rig.end(unreachable.task)).error?.code).toBe('invalid_request');
    expect(rig.vendor.submissions.has(unreachable.task.id)).toBe(false);
  });
});

describe('slow downloads', () => {
  it('end at the deadline and leave steps to other tasks', async () => {
    const slow = new Set<string>();
    rig = await taskRig({
      settings: { concurrency: 4, runDeadlineMs: () => 1_500 },
      script: {
        content: ({ taskId }) => {
          if (slow.size < 2) slow.add(taskId);
          return slow.has(taskId) ? { kind: 'opened', body: drip(TINY_MP4) } : undefined;
        },
        poll: (job, count) => (count < 2 ? { kind: 'running' } : { kind: 'succeeded' }),
      },
    });
    await rig.startWorker();
    const dripping = await Promise.all([1, 2].map(() => rig.engine.submit(rig.params())));
    await expect.poll(() => slow.size).toBe(2);
    const delayed = await rig.engine.submit(rig.params());
    await expect.poll(() => rig.vendor.polls.get(delayed.task.id) ?? 0).toBeGreaterThan(0);
    for (const { task } of dripping) expect((await rig.end(task)).error?.code).toBe('deadline_exceeded');
  });
});

describe('a lost submission', () => {
  it('never adopts the job of another task with the same request, even after that task failed', async () => {
    const jobs: { upstreamId: string }[] = [];
    rig = await taskRig({
      settings: { submitUnknownMs: 600 },
      script: {
        submit: async ({ taskId }) => {
          if (jobs.length > 0) await pause(300);
          else jobs.push({ upstreamId: `up_${taskId}` });
          return { kind: 'unknown', message: 'reset' };
        },
        find: () => ({ kind: 'candidates', jobs }),
      },
    });
    // Because no worker runs yet, both tasks are recorded before the first reconciliation.
    const same = { kind: 'video' as const, prompt: 'animate this', images: [] };
    const alice = await rig.engine.submit(rig.params({ ownerId: 'alice', request: same }));
    const bob = await rig.engine.submit(rig.params({ ownerId: 'bob', request: { ...same, size: '1280x720' } }));
    await rig.startWorker();
    const ended = [await rig.end(alice.task), await rig.end(bob.task)];
    expect(ended.map(({ error }) => error?.code)).toEqual(['submission_unknown', 'submission_unknown']);
  });
});

describe('a task with a missing uploaded image', () => {
  it('fails without a call to the vendor', async () => {
    rig = await taskRig();
    await rig.startWorker();
    const source = { kind: 'stored', key: 'inputs/gone', mediaType: 'image/png', filename: 'a.png', bytes: 1 } as const;
    const params = rig.params({ request: { kind: 'video', prompt: 'p', images: [{ role: 'reference', source }] } });
    expect((await rig.end((await rig.engine.submit(params)).task)).error?.code).toBe('invalid_request');
    expect(rig.vendor.submissions.size).toBe(0);
  });
});

describe('a flushed Redis', () => {
  it("receives the accounts' caps again", async () => {
    rig = await taskRig({ caps: { maxInFlight: 1, maxSubmitting: 8 } });
    await rig.startWorker();
    const redis = openRedis(rig.redisUrl);
    const { caps, queuePrefix } = createKeyspace(rig.prefix);
    await redis.del(...(await redis.keys(`${queuePrefix}*`)));
    await expect.poll(() => redis.exists(caps)).toBe(1);
    redis.disconnect();
    const tasks = await Promise.all(Array.from({ length: 5 }, () => rig.engine.submit(rig.params())));
    for (const { task } of tasks) await rig.end(task);
    expect(rig.vendor.running.max).toBe(1);
  });
});
