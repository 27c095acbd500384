import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { InputImage } from '@sluice/canonical';
import { type ContentStore, createLocalContentStore, openContentStore } from '@sluice/content';
import { startS3Server, type TaskRig, taskRig, TINY_PNG } from '@sluice/testkit';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { InputsWorld, once, step, type Step, storedImage } from '../../test/inputs-world.ts';

async function localStore() {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-inputs-'));
  return { content: createLocalContentStore(dir), close: () => rm(dir, { recursive: true, force: true }) };
}

async function s3Store() {
  const server = await startS3Server();
  const { endpoint, bucket, accessKey: access_key, secretKey: secret_key } = server;
  const account = { endpoint, bucket, access_key, secret_key, region: 'us-east-1' };
  const s3 = { ...account, prefix: '', path_style: true, redirect: false, redirect_ms: 1_000 };
  return { content: await openContentStore({ dir: '/nowhere', s3 }), close: () => server.close() };
}

it.each([
  ['a folder', localStore, 60],
  ['a bucket', s3Store, 5],
] as const)(
  'keeps an image in %s once, and while a task needs it, wherever processes are killed',
  async (_, open, numRuns) => {
    const { content, close } = await open();
    const check = async (steps: readonly Step[]) => {
      const world = new InputsWorld(content);
      try {
        for (const one of steps) {
          await world.act(one);
          await world.check();
        }
        await world.end();
      } finally {
        world.rig.close();
      }
    };
    try {
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), check), { numRuns });
    } finally {
      await close();
    }
  },
  120_000,
);

describe('an input image of several tasks', () => {
  let rig: TaskRig;
  afterEach(() => rig.close());

  /** The rig's content store, and the keys of its input images. */
  function observedStore() {
    const keys = new Set<string>();
    const content: ContentStore = {
      ...rig.content,
      async write(key, ...rest) {
        const written = await rig.content.write(key, ...rest);
        if (key.startsWith('inputs/')) keys.add(key);
        return written;
      },
      async remove(key) {
        await rig.content.remove(key);
        keys.delete(key);
      },
    };
    return { keys, content };
  }

  async function submit(...images: InputImage[]) {
    return rig.engine.submit(rig.params({ request: { kind: 'video', prompt: 'p', images } }));
  }

  it('is fetched for each of them, stored once, and removed after the last', async () => {
    rig = await taskRig();
    const { keys, content } = observedStore();
    let fetches = 0;
    const fetchInput = async () => {
      fetches += 1;
      return { body: once(TINY_PNG), mediaType: 'image/png' };
    };
    await rig.startWorker({ content, fetchInput });
    const source = { kind: 'url', url: 'http://client.test/a.png' } as const;
    const image = { role: 'reference', source } as const;
    const tasks = await Promise.all(Array.from({ length: 20 }, () => submit(image, image)));
    const ended = await Promise.all(tasks.map(({ task }) => rig.end(task)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect([fetches, keys.size]).toEqual([40, 1]);
    const [last, ...others] = ended.map(({ id }) => id);
    for (const id of others) await rig.engine.remove('owner', id);
    await expect.poll(() => rig.engine.stats()).toMatchObject({ tasks: { completed: 1 } });
    expect(keys.size).toBe(1);
    await rig.engine.remove('owner', last ?? '');
    await expect.poll(() => keys.size).toBe(0);
  });

  it('is uploaded again if its file is lost', async () => {
    rig = await taskRig();
    await rig.startWorker();
    const { task, unusedInputs } = await submit(await storedImage(rig.content, 'inputs/1', 'a boat'));
    expect([(await rig.end(task)).status, unusedInputs]).toEqual(['completed', []]);
    await rig.content.remove('inputs/1');
    const lost = await submit(await storedImage(rig.content, 'inputs/2', 'a boat'));
    expect(lost.unusedInputs).toEqual(['inputs/2']);
    expect(await rig.end(lost.task)).toMatchObject({ error: { message: expect.stringContaining('Upload it again') } });
    const again = await submit(await storedImage(rig.content, 'inputs/3', 'a boat'));
    expect([(await rig.end(again.task)).status, again.unusedInputs]).toEqual(['completed', []]);
  });
});
