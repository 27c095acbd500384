import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSubmissions } from '../client.ts';
import { KEY, OTHER_KEY, type Stack } from '../stack.ts';
import { startMediaStack } from './media-stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startMediaStack({ price: { video_second: 0.1 } });
}, 60_000);
afterAll(() => stack.close());

const openai = (apiKey = KEY) => new OpenAI({ baseURL: stack.baseUrl, apiKey, maxRetries: 0 });

async function completed(id: string): Promise<OpenAI.Video> {
  await expect.poll(async () => (await openai().videos.retrieve(id)).status).toBe('completed');
  return openai().videos.retrieve(id);
}

it('remixes a completed video for the key that created it', async () => {
  const { id } = await openai().videos.create({ model: 'video-videos', prompt: 'a kite', seconds: '8' });
  await completed(id);
  const { id: remixId } = await openai().videos.remix(id, { prompt: 'a kite at night' });
  expect(await completed(remixId)).toMatchObject({
    remixed_from_video_id: id,
    prompt: 'a kite at night',
    seconds: '8',
    cost_usd: 0.8,
  });
  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  expect(submissions.find(({ task }) => task === remixId)).toMatchObject({ applied: 1, prompt: 'a kite at night' });

  await expect(openai(OTHER_KEY).videos.remix(id, { prompt: 'mine' })).rejects.toMatchObject({ status: 404 });
  const { id: early } = await openai().videos.create({ model: 'video-videos', prompt: 'a kite [slow:30]' });
  await expect(openai().videos.remix(early, { prompt: 'b' })).rejects.toMatchObject({ code: 'video_not_ready' });
});

it('rejects a remix without a task if the vendor supports none', async () => {
  const { id } = await openai().videos.create({ model: 'video-provider-a', prompt: 'a kite' });
  await completed(id);
  await expect(openai().videos.remix(id, { prompt: 'b' })).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
  });
  expect((await openai().videos.list()).data.map(({ prompt }) => prompt)).not.toContain('b');
});
