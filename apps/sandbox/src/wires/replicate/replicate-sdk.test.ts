import { createReplicate } from '@ai-sdk/replicate';
import { experimental_generateVideo as generateVideo, generateImage } from 'ai';
import Replicate from 'replicate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { download } from '../../../test/wire-caller.ts';
import { measureImage } from '../../media/image/measure-image.ts';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const FLUX_VERSION = 'c3'.repeat(32);
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 100 });
});
afterAll(() => sandbox.close());

function client(auth = 'sk-sandbox'): Replicate {
  return new Replicate({ auth, baseUrl: `${sandbox.url}/replicate/v1`, useFileOutput: false });
}

const provider = () => createReplicate({ apiToken: 'sk-sandbox', baseURL: `${sandbox.url}/replicate/v1` });
const isVideoUrl = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1', 4, 8) === 'ftyp';

describe('replicate', () => {
  it('runs a model to its video, blocking or polling', async () => {
    for (const wait of [{ mode: 'block' }, { mode: 'poll', interval: 20 }] as const) {
      const input = { prompt: `kite ${wait.mode}`, duration: 5, aspect_ratio: '9:16' };
      const output: unknown = await client().run('wan-video/wan-2.5-t2v', { input, wait });
      const file = await fetch(typeof output === 'string' ? output : '');
      expect([file.status, isVideoUrl(new Uint8Array(await file.arrayBuffer()))]).toEqual([200, true]);
    }
  });

  it('generates several images, by model and by version', async () => {
    const input = { prompt: 'kite', num_outputs: 2, aspect_ratio: '1:1' };
    const byModel = await client().run('black-forest-labs/flux-schnell', { input });
    expect(byModel).toHaveLength(2);
    const byVersion = await client().run(`black-forest-labs/flux-schnell:${FLUX_VERSION}`, { input });
    expect(byVersion).toHaveLength(2);
  });

  it('gets, lists and cancels', async () => {
    const created = await client().predictions.create({
      model: 'wan-video/wan-2.5-i2v',
      input: {
        prompt: 'kite [slow:60]',
        image: `data:image/png;base64,${renderImage({ prompt: 'a', width: 64, height: 64 }).toString('base64')}`,
      },
    });
    expect(created).toMatchObject({ status: 'starting', output: null, error: null, completed_at: null });
    expect(await client().predictions.get(created.id)).toMatchObject({
      id: created.id,
      input: { prompt: 'kite [slow:60]' },
    });
    expect((await client().predictions.list()).results.map(({ id }) => id)).toContain(created.id);
    await client().predictions.cancel(created.id);
    expect(await client().predictions.get(created.id)).toMatchObject({ status: 'canceled', error: null });
  });

  it('reports why a model failed', async () => {
    const input = { prompt: 'kite [moderation]' };
    await expect(client().run('wan-video/wan-2.5-t2v', { input })).rejects.toThrow(/flagged as sensitive/);
    await expect(client().run('wan-video/wan-2.5-t2v', { input: { prompt: 'kite [fail]' } })).rejects.toThrow(/CUDA/);
  });

  it.each([
    ['an unknown key', 'sk-wrong', 'wan-video/wan-2.5-t2v', { prompt: 'kite' }, 401],
    ['an unknown model', undefined, 'wan-video/wan-9', { prompt: 'kite' }, 404],
    ['a missing prompt', undefined, 'wan-video/wan-2.5-t2v', {}, 422],
    ['a duration that the model does not make', undefined, 'wan-video/wan-2.5-t2v', { prompt: 'a', duration: 7 }, 422],
    ['a video from an image without one', undefined, 'wan-video/wan-2.5-i2v', { prompt: 'a' }, 422],
    ['no credit', undefined, 'wan-video/wan-2.5-t2v', { prompt: 'kite [balance]' }, 402],
  ] as const)('rejects %s', async (_what, key, model, input, status) => {
    await expect(client(key).predictions.create({ model, input })).rejects.toMatchObject({ response: { status } });
  });
});

describe('the AI SDK', () => {
  it('generates a video', async () => {
    const { video } = await generateVideo({
      model: provider().video('wan-video/wan-2.5-t2v'),
      prompt: 'kite',
      download,
      poll: { intervalMs: 20 },
    });
    expect(isVideoUrl(video.uint8Array)).toBe(true);
  });

  it('generates images', async () => {
    const model = provider().image('black-forest-labs/flux-schnell');
    const { images } = await generateImage({ model, prompt: 'kite', n: 2, aspectRatio: '1:1' });
    expect(images.map(({ uint8Array }) => measureImage(Buffer.from(uint8Array))?.mediaType)).toEqual([
      'image/png',
      'image/png',
    ]);
  });
});
