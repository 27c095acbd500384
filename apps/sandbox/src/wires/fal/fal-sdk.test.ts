import { createFal } from '@ai-sdk/fal';
import { experimental_generateVideo as generateVideo, generateImage } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFalClient } from '../../../test/fal-client.ts';
import { download, imageUrl } from '../../../test/wire-caller.ts';
import { measureImage } from '../../media/image/measure-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const KLING = 'fal-ai/kling-video/v2.1/master/image-to-video';
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 100 });
});
afterAll(() => sandbox.close());

const fetchFal: typeof fetch = async (input, init) => {
  const [queue, run] = [`${sandbox.url}/fal`, `${sandbox.url}/fal-run`];
  const requestedUrl = new URL(input instanceof Request ? input.url : input).href;
  const url = requestedUrl.replace('https://queue.fal.run', queue).replace('https://fal.run', run);
  const response = await fetch(url, init);
  if (!response.headers.get('content-type')?.includes('json')) return response;
  const text = (await response.text()).replaceAll(`${queue}/`, 'https://queue.fal.run/');
  return new Response(text, { status: response.status, statusText: response.statusText, headers: response.headers });
};

const client = (credentials = 'sk-sandbox') =>
  createFalClient({ credentials, fetch: fetchFal, retry: { maxRetries: 0 } });
const provider = () => createFal({ apiKey: 'sk-sandbox', fetch: fetchFal });
const isVideoUrl = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1', 4, 8) === 'ftyp';

async function bytesAt(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.bytes());
}

describe('@fal-ai/client', () => {
  it('generates a video and reports its status', async () => {
    const seen: string[] = [];
    const { data, requestId } = await client().subscribe('fal-ai/veo3', {
      input: { prompt: 'kite', duration: '4s', aspect_ratio: '9:16' },
      logs: true,
      pollInterval: 20,
      startTimeout: 30,
      storageSettings: { expiresIn: '1h' },
      onQueueUpdate: ({ status }) => void seen.push(status),
    });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect([seen.length > 1, seen.at(-1)]).toEqual([true, 'COMPLETED']);
    expect(data.video.file_size).toBe((await bytesAt(data.video.url)).length);
    expect(isVideoUrl(await bytesAt(data.video.url))).toBe(true);
  });

  it('submits, polls, and fetches by an endpoint with a path', async () => {
    const { queue } = client();
    const input = { prompt: 'kite', image_url: imageUrl(400, 300), duration: '5' } as const;
    const { request_id: requestId, status, queue_position: position } = await queue.submit(KLING, { input });
    expect([status, position]).toEqual(['IN_QUEUE', 0]);
    await queue.subscribeToStatus(KLING, { requestId, pollInterval: 20 });
    const { data } = await queue.result(KLING, { requestId });
    expect(isVideoUrl(await bytesAt(data.video.url))).toBe(true);
  });

  it('generates images, queued and synchronous', async () => {
    const input = { prompt: 'kite', num_images: 2, image_size: 'square', seed: 7 } as const;
    const queued = await client().subscribe('fal-ai/flux/dev', { input, pollInterval: 20 });
    const direct = await client().run('fal-ai/flux/dev', { input });
    for (const { data } of [queued, direct]) {
      expect(data).toMatchObject({ seed: 7, has_nsfw_concepts: [false, false] });
      const [first] = data.images;
      expect(measureImage(await bytesAt(first?.url ?? ''))).toMatchObject({ width: 512, height: 512 });
    }
  });

  it('cancels', async () => {
    const { queue } = client();
    const { request_id: requestId } = await queue.submit('fal-ai/veo3', { input: { prompt: 'kite [slow:60]' } });
    await queue.cancel('fal-ai/veo3', { requestId });
    await expect(queue.cancel('fal-ai/veo3', { requestId })).rejects.toMatchObject({ status: 400 });
    await expect(queue.result('fal-ai/veo3', { requestId })).rejects.toMatchObject({ status: 499 });
  });

  it.each([
    ['an input that is wrong', { prompt: 'kite', seed: 1.5 }, 'ValidationError', 422, 'int_type'],
    ['a prompt that offends', { prompt: 'kite [moderation]' }, 'ValidationError', 422, 'content_policy_violation'],
    ['a failure', { prompt: 'kite [fail]' }, 'ApiError', 500, 'internal_server_error'],
  ])('throws for %s', async (_what, input, name, status, type) => {
    const params = { input, pollInterval: 20 };
    const body = { detail: [{ type }] };
    await expect(client().subscribe('fal-ai/veo3', params)).rejects.toMatchObject({ name, status, body });
  });

  it('throws for an unknown key and for an unknown application', async () => {
    const input = { prompt: 'kite' };
    await expect(client('sk-wrong').subscribe('fal-ai/veo3', { input })).rejects.toMatchObject({ status: 401 });
    await expect(client().subscribe('fal-ai/sora', { input })).rejects.toMatchObject({ status: 404 });
  });
});

describe('the AI SDK', () => {
  it('generates a video', async () => {
    const { video } = await generateVideo({
      // This SDK uses the types of an older @ai-sdk/provider. Only the type of its webhooks differs.
      model: provider().video('fal-ai/veo3') as Parameters<typeof generateVideo>[0]['model'],
      prompt: 'kite',
      duration: 6,
      aspectRatio: '16:9',
      download,
      poll: { intervalMs: 20 },
    });
    expect([isVideoUrl(video.uint8Array), video.mediaType]).toEqual([true, 'video/mp4']);
  });

  it('generates images', async () => {
    const baseURL = `${sandbox.url}/fal-run`;
    const model = createFal({ apiKey: 'sk-sandbox', baseURL }).image('fal-ai/flux/dev');
    const { images } = await generateImage({ model, prompt: 'kite', n: 2, aspectRatio: '9:16' });
    const sizes = images.map(({ uint8Array }) => measureImage(Buffer.from(uint8Array)));
    expect(sizes).toMatchObject([
      { width: 576, height: 1024 },
      { width: 576, height: 1024 },
    ]);
  });

  it('reports the invalid field', async () => {
    const baseURL = `${sandbox.url}/fal-run`;
    const model = createFal({ apiKey: 'sk-sandbox', baseURL }).image('fal-ai/flux/dev');
    const result = generateImage({ model, prompt: 'kite', providerOptions: { fal: { num_images: 9 } } });
    await expect(result).rejects.toThrow('body.num_images: Input should be less than or equal to 4');
  });
});
