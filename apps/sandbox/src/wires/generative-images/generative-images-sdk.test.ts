import { createGoogle } from '@ai-sdk/google';
import { ApiError, GoogleGenAI } from '@google/genai';
import { generateImage } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureImage } from '../../media/image/measure-image.ts';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const NANO = 'gemini-2.5-flash-image';
const kite = renderImage({ prompt: 'kite', width: 64, height: 48 });
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 10 });
});
afterAll(() => sandbox.close());

const generate = (prompt: string, config: object = {}) =>
  new GoogleGenAI({ apiKey: 'sk-sandbox', httpOptions: { baseUrl: sandbox.url } }).models.generateContent({
    model: NANO,
    contents: [prompt, { inlineData: { mimeType: 'image/png', data: kite.toString('base64') } }],
    config: { responseModalities: ['IMAGE'], ...config },
  });

const image = (prompt: string) =>
  generateImage({
    model: createGoogle({ baseURL: `${sandbox.url}/v1beta`, apiKey: 'sk-sandbox' }).image(NANO),
    prompt: { text: prompt, images: [kite] },
    aspectRatio: '21:9',
    maxRetries: 0,
  });

describe('@google/genai', () => {
  it('generates an image from an image', async () => {
    const result = await generate('a kite at sea', { imageConfig: { aspectRatio: '9:16', imageSize: '1K' } });
    const [part] = result.candidates?.[0]?.content?.parts ?? [];
    expect(part?.inlineData?.mimeType).toBe('image/png');
    const imageInput = measureImage(Buffer.from(part?.inlineData?.data ?? '', 'base64'));
    expect(imageInput).toMatchObject({ width: 768, height: 1344 });
    expect(result.usageMetadata?.candidatesTokenCount).toBeGreaterThan(1000);
  });

  it('reports why no image was generated', async () => {
    expect((await generate('kite [moderation]')).promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
    expect((await generate('kite [moderated-output]')).candidates?.[0]?.finishReason).toBe('IMAGE_SAFETY');
    const failure = await generate('kite', { imageConfig: { aspectRatio: '5:3' } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 400 });
  });
});

describe('@ai-sdk/google', () => {
  it('generates an image from an image', async () => {
    const result = await image('a kite at sea');
    expect(measureImage(Buffer.from(result.image.uint8Array))).toMatchObject({ width: 1536, height: 672 });
  });

  it('reads errors', async () => {
    await expect(image('kite [moderated-output]')).rejects.toThrow('No image generated');
    await expect(image('kite [refused]')).rejects.toMatchObject({ statusCode: 400 });
  });
});
