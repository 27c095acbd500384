import { afterEach, describe, expect, it } from 'vitest';
import { openRedis, type ScriptedVendor, scriptedVendor, type TaskRig, taskRig, TINY_MP4 } from '@sluice/testkit';
import { createKeyspace } from '../store/keyspace.ts';

let rig: TaskRig;
afterEach(() => rig.close());

async function run(script: ScriptedVendor['script'], settings?: Parameters<typeof taskRig>[0]) {
  rig = await taskRig({ script, ...settings });
  await rig.startWorker();
  const { task } = await rig.engine.submit(rig.params());
  return { task, ended: await rig.end(task), submissions: rig.vendor.submissions.get(task.id) };
}

describe('a task', () => {
  it('runs from submission to stored content', async () => {
    const { ended, submissions } = await run({});
    expect(ended).toMatchObject({ status: 'completed', progress: 100, seconds: '4', size: '320x176' });
    expect(submissions).toBe(1);
    const chunks = await (await rig.content.open(ended.outputs[0]?.content?.key ?? '')).toArray();
    expect(Buffer.concat(chunks).equals(TINY_MP4)).toBe(true);
    expect(ended.outputs[0]?.content?.bytes).toBe(TINY_MP4.byteLength);
  });

  it('fails with the reason if the vendor rejects the request', async () => {
    const { ended, submissions } = await run({
      submit: () => ({ kind: 'rejected', code: 'content_policy', message: 'not this' }),
    });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'content_policy', message: 'not this' } });
    expect(submissions).toBe(1);
  });

  it('waits and is resubmitted if the vendor certainly did not accept it', async () => {
    let refusals = 2;
    const { ended, submissions } = await run({
      submit: () => (refusals-- > 0 ? { kind: 'busy', code: 'rate_limited', message: 'slow down' } : undefined),
    });
    expect(ended.status).toBe('completed');
    expect(submissions).toBe(3);
  });

  it('is never submitted twice if the outcome of the submission is unknown', async () => {
    const { ended, submissions } = await run({ submit: () => ({ kind: 'unknown', message: 'reset' }) });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'submission_unknown' } });
    expect(submissions).toBe(1);
  });

  it('is adopted if exactly one job at the vendor matches', async () => {
    const { ended, submissions } = await run({
      submit: () => ({ kind: 'unknown', message: 'reset' }),
      find: () => ({ kind: 'candidates', jobs: [{ upstreamId: 'found' }] }),
    });
    expect(ended.status).toBe('completed');
    expect(submissions).toBe(1);
  });

  it('is not adopted if two jobs match', async () => {
    const { ended } = await run({
      submit: () => ({ kind: 'unknown', message: 'reset' }),
      find: () => ({ kind: 'candidates', jobs: [{ upstreamId: 'one' }, { upstreamId: 'two' }] }),
    });
    expect(ended.error?.code).toBe('submission_unknown');
  });

  it('is resubmitted if the vendor certainly has no matching job', async () => {
    let lost = true;
    const { ended, submissions } = await run({
      submit: () => (lost ? { kind: 'unknown', message: 'reset' } : undefined),
      find: () => {
        lost = false;
        return { kind: 'none' };
      },
    });
    expect(ended.status).toBe('completed');
    expect(submissions).toBe(2);
  });

  it("fails with the vendor's reason", async () => {
    const { ended } = await run({ poll: () => ({ kind: 'failed', code: 'provider_error', message: 'out of luck' }) });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'provider_error', message: 'out of luck' } });
  });

  it('survives unclear poll responses', async () => {
    const { ended } = await run({
      poll: (_job, count) => (count < 4 ? { kind: 'unclear', message: 'what?' } : { kind: 'succeeded' }),
    });
    expect(ended.status).toBe('completed');
    expect((await rig.engine.stats()).unclearPolls).toBe(3);
  });

  it('ends at its deadline if the vendor never finishes', async () => {
    const { ended } = await run({ poll: () => ({ kind: 'running' }) }, { settings: { runDeadlineMs: () => 300 } });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' } });
  });

  it('is polled once more at its deadline, so that a finished video is not lost', async () => {
    const { ended } = await run(
      { poll: (_job, count) => (count === 1 ? { kind: 'running', retryAfterMs: 86_400_000 } : { kind: 'succeeded' }) },
      { settings: { runDeadlineMs: () => 300, polling: { firstMs: 10, minMs: 10, maxMs: 60_000, onReadMs: 5 } } },
    );
    expect(ended.status).toBe('completed');
  });

  it('downloads its content although the vendor requests a retry after the deadline', async () => {
    let downloads = 0;
    const { ended } = await run({
      content: () => {
        downloads += 1;
        return downloads === 1 ? { kind: 'unclear', message: 'busy', retryAfterMs: 86_400_000 } : undefined;
      },
    });
    expect(ended.status).toBe('completed');
  });

  it('is downloaded once more at its deadline', async () => {
    let downloads = 0;
    const { ended } = await run(
      {
        content: () => {
          downloads += 1;
          return downloads === 1 ? { kind: 'unclear', message: 'busy', retryAfterMs: 86_400_000 } : undefined;
        },
      },
      { settings: { runDeadlineMs: () => 300, retryMinMs: 60_000, retryMaxMs: 60_000 } },
    );
    expect(ended.status).toBe('completed');
    expect(downloads).toBe(2);
  });

  it('updates the typical running time up to the last poll, without the download', async () => {
    let downloads = 0;
    const { ended } = await run(
      {
        content: () => {
          downloads += 1;
          return downloads < 3 ? { kind: 'unclear', message: 'busy' } : undefined;
        },
      },
      { settings: { polling: { firstMs: 10, minMs: 10, maxMs: 60_000, onReadMs: 5 } } },
    );
    const keys = createKeyspace(rig.prefix);
    const redis = openRedis(rig.redisUrl);
    try {
      const [polledAt, acceptedAt] = await redis.hmget(keys.task(ended.id), 'polledAt', 'acceptedAt');
      const usualMs = Number(polledAt) - Number(acceptedAt);
      expect(await redis.hget(keys.usual, `video:${ended.model}`)).toBe(String(usualMs));
    } finally {
      redis.disconnect();
    }
  });

  it('ends at its deadline if no slot is ever free', async () => {
    const { ended } = await run(
      { submit: () => ({ kind: 'busy', code: 'rate_limited', message: 'full' }) },
      { settings: { queueDeadlineMs: 300 } },
    );
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' } });
  });

  it('stores its content after interrupted downloads', async () => {
    let downloads = 0;
    const { ended } = await run({
      content: () => {
        downloads += 1;
        if (downloads === 1) return { kind: 'opened', body: broken(), bytes: TINY_MP4.byteLength };
        if (downloads === 2) return { kind: 'opened', body: short(), bytes: TINY_MP4.byteLength };
        if (downloads === 3) return { kind: 'opened', body: page() };
        return undefined;
      },
    });
    expect(ended.status).toBe('completed');
    expect(downloads).toBe(4);
  });

  it('fails if the vendor no longer has the content', async () => {
    const { ended } = await run({ content: () => ({ kind: 'expired', message: 'gone' }) });
    expect(ended.error?.code).toBe('content_expired');
  });

  it("moves to the next route if an account's credential is rejected, and fails without another route", async () => {
    const second = scriptedVendor();
    rig = await taskRig({ script: { submit: () => ({ kind: 'account', code: 'provider_auth', message: 'no' }) } });
    const accounts = { vendor: { video: rig.vendor, maxSubmitting: 4 }, second: { video: second, maxSubmitting: 4 } };
    const routes = [
      { upstream: 'vendor', model: 'a' },
      { upstream: 'second', model: 'b' },
    ];
    await rig.startWorker({ accounts });
    const two = await rig.engine.submit(rig.params({ model: 'two', targets: routes }));
    expect(await rig.end(two.task)).toMatchObject({ status: 'completed', upstream: 'second', upstreamModel: 'b' });
    const one = await rig.engine.submit(rig.params({ model: 'one', targets: routes.slice(0, 1) }));
    expect((await rig.end(one.task)).error?.code).toBe('provider_auth');
  });

  it("never exceeds the account's limit of running jobs", async () => {
    rig = await taskRig({ caps: { maxInFlight: 3, maxSubmitting: 16 } });
    await rig.startWorker();
    await rig.startWorker();
    const tasks = await Promise.all(Array.from({ length: 60 }, () => rig.engine.submit(rig.params())));
    const ended = await Promise.all(tasks.map(({ task }) => rig.end(task)));
    expect(ended.every(({ status }) => status === 'completed')).toBe(true);
    expect(rig.vendor.running.max).toBeLessThanOrEqual(3);
  });

  it('is woken by the sweeper if it was recorded but not enqueued', async () => {
    rig = await taskRig();
    const { task } = await rig.engine.submit(rig.params());
    await rig.engine.close(); // `close` waits for the wake-up.
    const redis = openRedis(rig.redisUrl);
    await redis.del(...(await redis.keys(`${createKeyspace(rig.prefix).queuePrefix}:tasks_vendor:*`)));
    redis.disconnect();
    await rig.startWorker();
    await expect.poll(() => rig.vendor.polls.get(task.id)).toBe(2);
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
  });
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield TINY_MP4.subarray(0, 10);
  throw new Error('reset');
}

async function* short(): AsyncGenerator<Uint8Array> {
  yield TINY_MP4.subarray(0, 20);
}

async function* page(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('<html>try again later</html>');
}

describe('the routes of a task', () => {
  it('do not change after its creation', async () => {
    const second = scriptedVendor();
    rig = await taskRig({ script: { submit: () => ({ kind: 'account', code: 'provider_quota', message: 'broke' }) } });
    const targets = [
      { upstream: 'vendor', model: 'a' },
      { upstream: 'second', model: 'b' },
    ];
    await rig.startWorker({
      accounts: { vendor: { video: rig.vendor, maxSubmitting: 4 }, second: { video: second, maxSubmitting: 4 } },
    });
    const { task } = await rig.engine.submit(rig.params({ targets }));
    expect(await rig.end(task)).toMatchObject({ status: 'completed', upstream: 'second', upstreamModel: 'b' });
    expect(TINY_MP4.byteLength).toBe((await rig.engine.find('owner', task.id))?.outputs[0]?.content?.bytes);
  });
});
