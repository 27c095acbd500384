import { afterEach, describe, expect, it } from 'vitest';
import { type TaskRig, taskRig, TINY_MP4, TINY_PNG } from '@sluice/testkit';
import type { ImageRequest, SubmitOutcome } from '@sluice/canonical';
import type { ContentStore } from '@sluice/content';

let rig: TaskRig;
afterEach(() => rig.close());

const request: ImageRequest = { kind: 'image', prompt: 'a poster', n: 2, images: [], delivery: 'url' };
const contentExpired = { code: 'content_policy', message: 'The second was refused.' } as const;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Returns the rig's store, but some writes fail as on a full disk. */
function failing(fails: (key: string) => boolean): ContentStore {
  return {
    ...rig.content,
    write: (key, ...rest) =>
      fails(key) ? Promise.reject(new Error('ENOSPC: no space left on device')) : rig.content.write(key, ...rest),
  };
}

async function submitImage(more: Parameters<TaskRig['params']>[0] = {}) {
  return (await rig.engine.submit(rig.params({ request, ...more }))).task;
}

describe('an image task', () => {
  it('stores the outputs of a synchronous upstream and is completed at once', async () => {
    const outputs = [{ bytes: TINY_PNG, revisedPrompt: 'a fine poster' }, { error: contentExpired }];
    rig = await taskRig({ script: { submit: () => ({ kind: 'returned', outputs }) } });
    await rig.startWorker();
    const ended = await rig.end(await submitImage());
    expect(ended).toMatchObject({
      kind: 'image',
      status: 'completed',
      progress: 100,
      delivery: 'url',
      outputs: [
        { content: { mediaType: 'image/png', bytes: TINY_PNG.byteLength }, revisedPrompt: 'a fine poster' },
        { error: contentExpired },
      ],
    });
    expect(ended.id).toMatch(/^image_/);
    const stored = await (await rig.content.open(ended.outputs[0]?.content?.key ?? '')).toArray();
    expect(Buffer.concat(stored as Buffer[])).toEqual(Buffer.from(TINY_PNG));
    expect(rig.vendor.polls.size).toBe(0);
  });

  it('stores returned outputs although the store fails for a while and the queue deadline has passed', async () => {
    let [writes, ahead] = [0, 0];
    const submit = (): SubmitOutcome => {
      ahead = 600_000;
      return { kind: 'returned', outputs: [{ bytes: TINY_PNG }, { bytes: TINY_PNG }] };
    };
    rig = await taskRig({ script: { submit } });
    await rig.startWorker({ content: failing(() => (writes += 1) <= 3), now: () => Date.now() + ahead });
    const ended = await rig.end(await submitImage());
    expect(ended).toMatchObject({ status: 'completed', outputs: [{ content: {} }, { content: {} }] });
    expect([writes, rig.vendor.submissions.get(ended.id)]).toEqual([5, 1]);
  });

  it('reports that returned outputs could not be stored if the store fails for too long', async () => {
    const outputs = [{ bytes: TINY_PNG }, { bytes: TINY_PNG }];
    rig = await taskRig({
      script: { submit: () => ({ kind: 'returned', outputs }) },
      settings: { runDeadlineMs: () => 500 },
    });
    let isFull = false;
    await rig.startWorker({ content: failing((key) => isFull || key.endsWith('.1')) });
    const error = {
      code: 'provider_error',
      message: 'The output was generated but could not be stored. Retry the request.',
    };
    const half = await rig.end(await submitImage());
    expect(half).toMatchObject({ status: 'completed', outputs: [{ content: {} }, { error }] });
    isFull = true;
    expect(await rig.end(await submitImage())).toMatchObject({ status: 'failed', error });
  });

  it('fetches the URLs that a synchronous upstream returns', async () => {
    rig = await taskRig({
      script: {
        submit: () => ({
          kind: 'returned',
          outputs: [{ url: 'http://vendor.test/1' }, { url: 'http://vendor.test/2' }],
        }),
        content: (_job, { url }) => ({ kind: 'opened', body: once(Buffer.concat([TINY_PNG, Buffer.from(url ?? '')])) }),
      },
    });
    await rig.startWorker();
    const { outputs, status } = await rig.end(await submitImage());
    expect(status).toBe('completed');
    const texts = outputs.map(async ({ content }) => {
      const parts = (await (await rig.content.open(content?.key ?? '')).toArray()) as Buffer[];
      return Buffer.concat(parts).subarray(TINY_PNG.byteLength).toString();
    });
    expect(await Promise.all(texts)).toEqual(['http://vendor.test/1', 'http://vendor.test/2']);
  });

  it('is completed with the images that the vendor generated', async () => {
    rig = await taskRig({
      script: {
        poll: () => ({ kind: 'succeeded', outputs: [{ error: contentExpired }, { url: 'http://vendor.test/2' }] }),
        content: () => ({ kind: 'opened', body: once(TINY_PNG) }),
      },
    });
    await rig.startWorker();
    const ended = await rig.end(await submitImage());
    expect(ended).toMatchObject({ status: 'completed', outputs: [{ error: contentExpired }, { content: {} }] });
  });

  it('fails if no image can be stored', async () => {
    rig = await taskRig({
      script: { submit: () => ({ kind: 'returned', outputs: [{ bytes: Buffer.from('<html>not an image</html>') }] }) },
    });
    await rig.startWorker();
    expect(await rig.end(await submitImage())).toMatchObject({ status: 'failed', error: { code: 'provider_error' } });
  });

  it("is not listed among the owner's videos", async () => {
    rig = await taskRig();
    const image = await submitImage();
    const video = (await rig.engine.submit(rig.params())).task;
    const list = (kind: 'image' | 'video', order: 'asc' | 'desc') =>
      rig.engine.list('owner', { kind, limit: 10, order }).then(({ tasks }) => tasks.map(({ id }) => id));
    for (const order of ['asc', 'desc'] as const) {
      expect(await list('image', order)).toEqual([image.id]);
      expect(await list('video', order)).toEqual([video.id]);
    }
  });
});

describe('a finished file that the vendor denies', () => {
  it.each([
    ['counts as expired', { message: 'HTTP 403' }, { code: 'content_expired' }],
    [
      'fails its task with the code that the refusal has',
      { code: 'provider_error', message: 'It is not there' },
      { code: 'provider_error', message: 'It is not there' },
    ],
  ] as const)('is requested a few more times, then %s', async (_what, refusal, error) => {
    let opened = 0;
    rig = await taskRig({
      script: {
        content: () => {
          opened += 1;
          return { kind: 'denied', ...refusal };
        },
      },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect(await rig.end(task)).toMatchObject({ status: 'failed', error });
    expect(opened).toBe(6);
  });
});

describe('a finished file of another type', () => {
  it('fails before the deadline', async () => {
    rig = await taskRig({ script: { content: () => ({ kind: 'opened', body: once(TINY_MP4) }) } });
    await rig.startWorker();
    const ended = await rig.end(await submitImage());
    expect(ended).toMatchObject({
      status: 'failed',
      error: {
        code: 'provider_error',
        message: 'The upstream returned an invalid response: the file is not an image. Retry the request.',
      },
    });
  });
});

describe('downloads after failures', () => {
  it('succeed however often the network failed before one rejection', async () => {
    let opened = 0;
    rig = await taskRig({
      script: {
        content: () => {
          opened += 1;
          if (opened <= 6) return { kind: 'unclear', message: 'reset' };
          return opened === 7 ? { kind: 'denied', message: 'HTTP 403' } : undefined;
        },
      },
    });
    await rig.startWorker();
    expect((await rig.end((await rig.engine.submit(rig.params())).task)).status).toBe('completed');
  });

  it('fetch each file once even if one file is delayed', async () => {
    const opened: string[] = [];
    rig = await taskRig({
      script: {
        poll: () => ({ kind: 'succeeded', outputs: [{ url: 'http://v.test/a' }, { url: 'http://v.test/b' }] }),
        content: (_job, { url = '' }) => {
          opened.push(url);
          const isLate = url.endsWith('b') && opened.length < 4;
          return isLate ? { kind: 'unclear', message: 'reset' } : { kind: 'opened', body: once(TINY_PNG) };
        },
      },
    });
    await rig.startWorker();
    const ended = await rig.end(await submitImage());
    expect(ended.outputs.map(({ content }) => content?.bytes)).toEqual([TINY_PNG.byteLength, TINY_PNG.byteLength]);
    expect(opened.map((url) => url.at(-1))).toEqual(['a', 'b', 'b', 'b']);
    for (const { content } of ended.outputs) (await rig.content.open(content?.key ?? '')).destroy();
  });

  it('store bytes and URLs of one response in order', async () => {
    rig = await taskRig({
      script: {
        submit: () => ({ kind: 'returned', outputs: [{ bytes: TINY_PNG }, { url: 'http://v.test/b' }] }),
        content: () => ({ kind: 'opened', body: once(TINY_PNG) }),
      },
    });
    await rig.startWorker();
    const { outputs } = await rig.end(await submitImage());
    expect(outputs.map(({ content }) => content?.mediaType)).toEqual(['image/png', 'image/png']);
  });
});
