import { createOpenAI } from '@ai-sdk/openai';
import { generateImage } from 'ai';
import OpenAI, { APIError, toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureImage } from '../../media/image/measure-image.ts';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const kite = renderImage({ prompt: 'kite', width: 64, height: 64 });
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 20 });
});
afterAll(() => sandbox.close());

const openai = () => new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox', maxRetries: 0 });
const provider = () => createOpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox' });
const sizeOf = (bytes: Uint8Array) => measureImage(Buffer.from(bytes));

async function failure(prompt: string): Promise<unknown> {
  try {
    return await openai().images.generate({ model: 'gpt-image-2', prompt, size: '32x32' });
  } catch (error) {
    return error instanceof APIError ? [error.status, error.code, error.type, error.param] : error;
  }
}

describe('openai', () => {
  it('generates, and fetches the returned URL', async () => {
    const inBase64 = await openai().images.generate({ model: 'gpt-image-2', prompt: 'kite', size: '64x48', n: 2 });
    expect(inBase64.data).toHaveLength(2);
    expect(inBase64.usage?.total_tokens).toBeGreaterThan(0);
    expect(sizeOf(Buffer.from(inBase64.data?.[1]?.b64_json ?? '', 'base64'))).toMatchObject({ width: 64, height: 48 });

    const byUrl = await openai().images.generate({ model: 'dall-e-2', prompt: 'kite', size: '256x256' });
    const file = await fetch(byUrl.data?.[0]?.url ?? '');
    expect(sizeOf(new Uint8Array(await file.arrayBuffer()))).toMatchObject({ width: 256, height: 256 });
  });

  it('edits several images with a mask', async () => {
    const image = await Promise.all(['a.png', 'b.png'].map((name) => toFile(kite, name, { type: 'image/png' })));
    const mask = await toFile(kite, 'mask.png', { type: 'image/png' });
    const response = await openai().images.edit({ model: 'gpt-image-1.5', prompt: 'boat', image, mask, n: 1 });
    expect(sizeOf(Buffer.from(response.data?.[0]?.b64_json ?? '', 'base64'))).toMatchObject({ width: 1024 });
  });

  it('reads every kind of error', async () => {
    expect(await failure('kite [moderation]')).toEqual([
      400,
      'moderation_blocked',
      'image_generation_user_error',
      null,
    ]);
    expect(await failure('kite [balance]')).toEqual([429, 'insufficient_quota', 'insufficient_quota', null]);
    expect(await failure('')).toEqual([400, 'empty_string', 'invalid_request_error', 'prompt']);
  });

  it('is retried by the client after 429', async () => {
    const retrying = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox', maxRetries: 2 });
    const response = await retrying.images.generate({ model: 'gpt-image-2', prompt: 'kite [429]', size: '32x32' });
    expect(response.data).toHaveLength(1);
  });
});

describe('the AI SDK', () => {
  it('generates with models of both kinds', async () => {
    for (const [model, size] of [
      ['gpt-image-2', '64x48'],
      ['dall-e-2', '256x256'],
    ] as const) {
      const { images } = await generateImage({ model: provider().image(model), prompt: 'kites', n: 2, size });
      expect(images.map(({ mediaType }) => mediaType)).toEqual(['image/png', 'image/png']);
      expect(images.map(({ uint8Array }) => sizeOf(uint8Array)?.width)).toEqual(
        Array(2).fill(Number.parseInt(size, 10)),
      );
    }
  });

  it('edits', async () => {
    const prompt = { text: 'boat', images: [kite, kite], mask: kite };
    const { image } = await generateImage({ model: provider().image('gpt-image-2'), prompt, size: '32x32' });
    expect(sizeOf(image.uint8Array)).toMatchObject({ width: 32, height: 32 });
  });

  it('reads an error', async () => {
    const call = generateImage({ model: provider().image('gpt-image-2'), prompt: 'kite [moderation]', maxRetries: 0 });
    await expect(call).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('safety system') });
  });
});
