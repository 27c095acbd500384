import type { ImageRequest, OpenedImage } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { imageParams, jsonVendor, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER, image as imageInput } from '../../test/videos-rig.ts';

const MULTIMODAL = '/api/v1/services/aigc/multimodal-generation/generation';
const dataUrl = (text: string): string => `data:image/png;base64,${Buffer.from(text).toString('base64')}`;
const [A, B] = [imageInput('a', 'reference'), imageInput('b', 'reference')];
const imageMessage = (...urls: string[]) => ({
  output: {
    choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: urls.map((image) => ({ image })) } }],
  },
  usage: { image_count: urls.length },
});
const TASK = { output: { task_id: '0385dc79', task_status: 'PENDING' } };

async function submitted(
  model: string,
  request: Partial<ImageRequest> = {},
  images: OpenedImage[] = [],
  reply: unknown = imageMessage('https://cdn.example/0.png'),
) {
  await using vendor = await jsonVendor(() => ({ body: reply }));
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin, api_key: 'key-1' });
  const outcome = await rig.image.submit(imageParams(request, { model, images }), NEVER);
  return { outcome, recorded: vendor.recorded[0], body: vendor.recorded[0]?.body };
}

describe('newer image models', () => {
  it('send a synchronous request', async () => {
    const { outcome, recorded } = await submitted('qwen-image-plus', { size: '1328x1328', negativePrompt: 'rain' });
    expect(outcome).toEqual({ kind: 'returned', outputs: [{ url: 'https://cdn.example/0.png' }] });
    expect(recorded).toMatchObject({ method: 'POST', url: MULTIMODAL });
    expect(recorded?.headers['x-dashscope-async']).toBeUndefined();
    expect(recorded?.body).toEqual({
      model: 'qwen-image-plus',
      input: { messages: [{ role: 'user', content: [{ text: 'a red kite' }] }] },
      parameters: { n: 1, size: '1328*1328', negative_prompt: 'rain' },
    });
  });

  it('put images before the prompt, as data URLs', async () => {
    const { body } = await submitted('qwen-image-edit-plus', {}, [A, B]);
    expect(body).toMatchObject({
      input: {
        messages: [{ content: [{ image: dataUrl('a') }, { image: dataUrl('b') }, { text: 'a red kite' }] }],
      },
    });
  });

  it('send vendor options, but no planned field and no callback', async () => {
    const metadata = {
      enable_interleave: false,
      n: 4,
      callback_url: 'x',
      input: { messages: [], tags: ['a'] },
      parameters: { size: '1*1', style: '<auto>' },
    };
    expect((await submitted('wan2.6-t2i', { metadata })).body).toEqual({
      model: 'wan2.6-t2i',
      input: { tags: ['a'], messages: [{ role: 'user', content: [{ text: 'a red kite' }] }] },
      parameters: { enable_interleave: false, style: '<auto>', n: 1 },
    });
  });

  it('read images from one message or several', async () => {
    const { output } = imageMessage('https://cdn.example/0.png', 'https://cdn.example/1.png');
    const many = {
      output: { choices: [...output.choices, ...imageMessage('https://cdn.example/2.png').output.choices] },
    };
    const { outcome } = await submitted('wan2.6-t2i', { n: 3 }, [], many);
    const outputs = [0, 1, 2].map((at) => ({ url: `https://cdn.example/${at}.png` }));
    expect(outcome).toEqual({ kind: 'returned', outputs });
  });

  it.each([
    imageMessage(),
    { output: { choices: [] } },
    { output: { choices: [{ message: { content: [{ text: 'no' }] } }] } },
  ])('fail without an image: %o', async (reply) => {
    const { outcome } = await submitted('wan2.6-t2i', {}, [], reply);
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'provider_error' });
  });

  it.each([{}, [], { output: {} }, { output: { text: 'ok' } }])('report an unknown outcome: %o', async (reply) => {
    expect((await submitted('wan2.6-t2i', {}, [], reply)).outcome).toMatchObject({ kind: 'unknown' });
  });

  it('report refused content by its code', async () => {
    const reply = { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' };
    const { outcome } = await submitted('wan2.6-t2i', {}, [], reply);
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'content_policy' });
  });
});

describe('older image models', () => {
  it('create a task', async () => {
    const { outcome, recorded } = await submitted('wan2.5-t2i-preview', { n: 2, negativePrompt: 'rain' }, [], TASK);
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: '0385dc79' });
    expect(recorded?.url).toBe('/api/v1/services/aigc/text2image/image-synthesis');
    expect(recorded?.headers['x-dashscope-async']).toBe('enable');
    expect(recorded?.body).toEqual({
      model: 'wan2.5-t2i-preview',
      input: { prompt: 'a red kite', negative_prompt: 'rain' },
      parameters: { n: 2 },
    });
  });

  it('send images as a list', async () => {
    const { recorded } = await submitted('wan2.5-i2i-preview', {}, [A, B], TASK);
    expect(recorded).toMatchObject({
      url: '/api/v1/services/aigc/image2image/image-synthesis',
      body: { input: { prompt: 'a red kite', images: [dataUrl('a'), dataUrl('b')] } },
    });
  });
});

it('refuses an image above the vendor’s limit before it sends anything', async () => {
  const { outcome, recorded } = await submitted('qwen-image-edit', {}, [{ ...A, bytes: 11 * 1024 * 1024 }]);
  expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  expect(recorded).toBeUndefined();
});

it('opens the URL of an image from a synchronous response unchanged', async () => {
  await using vendor = await jsonVendor(
    () => (response) => response.writeHead(200, { 'content-type': 'image/png', 'content-length': 3 }).end('png'),
  );
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin, api_key: 'key-1' });
  const output = { index: 0, url: `${vendor.origin}/files/0.png` };
  const outcome = await rig.image.openContent(mediaJob(vendor.origin, { upstreamId: '' }), output, NEVER);
  expect(outcome).toMatchObject({ kind: 'opened', bytes: 3 });
  if (outcome.kind === 'opened') for await (const chunk of outcome.body) expect(chunk).toHaveLength(3);
  expect(vendor.recorded).toMatchObject([{ url: '/files/0.png' }]);
  expect(vendor.recorded[0]?.headers.authorization).toBeUndefined();
});
