import type { ImageRequest, VideoRequest } from '@sluice/canonical';
import { type TaskRig, taskRig, TINY_PNG } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { type ContentStore, ContentUnavailableError } from '@sluice/content';
import { showTask } from '../operator/show-task.ts';

let rig: TaskRig;
afterEach(() => rig.close());

/** The rig's store, which refuses every call until it is repaired, like a deleted bucket. */
function vanishedStore() {
  const state = { isVanished: true, refused: 0 };
  const working = async () => {
    if (!state.isVanished) return rig.content;
    state.refused += 1;
    throw new ContentUnavailableError(Object.assign(new Error('gone'), { name: 'NoSuchBucket' }));
  };
  const content: ContentStore = {
    ...rig.content,
    write: async (...args) => (await working()).write(...args),
    open: async (...args) => (await working()).open(...args),
    check: async (...args) => (await working()).check(...args),
  };
  return { content, state };
}

/** Waits until the task is shown as waiting, repairs the store, and waits until the task ends. */
async function expectWaitingThenCompleted(request: Partial<VideoRequest>, status: string, refusals: number) {
  const { content, state } = vanishedStore();
  await rig.startWorker({ content, fetchInput: async () => ({ body: once(TINY_PNG), mediaType: 'image/png' }) });
  const { task } = await rig.engine.submit(
    rig.params({ request: { kind: 'video', prompt: 'p', images: [], ...request } }),
  );
  const show = () => rig.engine.operator.show(task.id);
  await expect.poll(() => state.refused).toBeGreaterThanOrEqual(refusals);
  await expect
    .poll(async () => showTask((await show()).task))
    .toMatchObject({ status, waiting_reason: 'storage_unavailable' });
  expect((await show()).timeline.at(-1)).toMatchObject({ code: 'storage_unavailable', reason: 'NoSuchBucket' });
  expect((await rig.engine.stats()).waitingForStorage).toBe(1);

  state.isVanished = false;
  expect(await rig.end(task)).toMatchObject({ status: 'completed', waitingReason: undefined });
  expect((await rig.engine.stats()).waitingForStorage).toBe(0);
  expect(rig.vendor.submissions.get(task.id)).toBe(1);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe('while the content store is unavailable, operators see', () => {
  it('a finished video that cannot be stored', async () => {
    rig = await taskRig();
    await expectWaitingThenCompleted({}, 'finishing', 2);
  });

  it('an input image that cannot be stored, which never fails the task', async () => {
    rig = await taskRig();
    const source = { kind: 'url', url: 'http://client.test/a.png' } as const;
    await expectWaitingThenCompleted({ images: [{ role: 'reference', source }] }, 'queued', 10);
  });

  it('an uploaded image that cannot be read', async () => {
    rig = await taskRig();
    await rig.content.write('inputs/a', once(TINY_PNG), 100);
    const bytes = TINY_PNG.byteLength;
    const source = { kind: 'stored', key: 'inputs/a', mediaType: 'image/png', filename: 'a.png', bytes } as const;
    await expectWaitingThenCompleted({ images: [{ role: 'reference', source }] }, 'queued', 2);
  });

  it('a returned file that cannot be stored', async () => {
    rig = await taskRig({ script: { submit: () => ({ kind: 'returned', outputs: [{ bytes: TINY_PNG }] }) } });
    const { content, state } = vanishedStore();
    await rig.startWorker({ content });
    const request: ImageRequest = { kind: 'image', prompt: 'p', n: 1, images: [], delivery: 'url' };
    const { task } = await rig.engine.submit(rig.params({ request }));
    const show = async () => showTask((await rig.engine.operator.show(task.id)).task);
    await expect.poll(show).toMatchObject({ status: 'submitting', waiting_reason: 'storage_unavailable' });
    state.isVanished = false;
    expect(await rig.end(task)).toMatchObject({ status: 'completed', waitingReason: undefined });
    expect((await rig.engine.stats()).waitingForStorage).toBe(0);
  });
});
