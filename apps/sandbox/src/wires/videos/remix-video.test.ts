import OpenAI from 'openai';
import { afterEach, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
afterEach(() => sandbox.close());

it('the published SDK remixes a completed video with the same length and size', async () => {
  sandbox = await startSandbox({ renderMs: 20 });
  const openai = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox', maxRetries: 0 });
  const original = await openai.videos.create({ model: 'sandbox-video', prompt: 'a kite', seconds: '8' });
  const early = openai.videos.remix((await openai.videos.create({ prompt: 'a kite [slow:60]' })).id, { prompt: 'b' });
  await expect(early).rejects.toMatchObject({ status: 400 });
  await expect.poll(async () => (await openai.videos.retrieve(original.id)).status).toBe('completed');

  const remix = await openai.videos.remix(original.id, { prompt: 'a kite at night' });
  expect(remix).toMatchObject({
    prompt: 'a kite at night',
    seconds: '8',
    size: original.size,
    remixed_from_video_id: original.id,
  });
  await expect(openai.videos.remix(original.id, { prompt: '' })).rejects.toMatchObject({ status: 400 });
  await expect(openai.videos.remix('video_none', { prompt: 'b' })).rejects.toMatchObject({ status: 404 });
});
