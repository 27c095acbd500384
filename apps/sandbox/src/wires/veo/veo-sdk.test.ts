import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGoogle } from '@ai-sdk/google';
import { GenerateVideosOperation, GoogleGenAI } from '@google/genai';
import { experimental_generateVideo as generateVideo } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { download, wireCaller } from '../../../test/wire-caller.ts';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const MODEL = 'veo-3.1-generate-preview';
const kite = renderImage({ prompt: 'kite', width: 64, height: 36 });
let sandbox: RunningSandbox;
let folder = '';

beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 50 });
  folder = await mkdtemp(path.join(tmpdir(), 'veo-'));
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const google = () => createGoogle({ baseURL: `${sandbox.url}/v1beta`, apiKey: 'sk-sandbox' });

function generate(text: string, more: object = {}) {
  const prompt = { text, image: kite };
  return generateVideo({
    model: google().video(MODEL),
    prompt,
    poll: { intervalMs: 20 },
    maxRetries: 0,
    download,
    ...more,
  });
}

describe('@ai-sdk/google', () => {
  it('generates a video from an image', async () => {
    const { video } = await generate('a kite', { aspectRatio: '9:16', resolution: '1920x1080', duration: 8 });
    expect(video.mediaType).toBe('video/mp4');
    const videoFile = Buffer.from(video.uint8Array);
    expect(videoFile.toString('latin1', 4, 8)).toBe('ftyp');
    const entry = videoFile.indexOf('avc1', videoFile.indexOf('stsd')) + 28;
    expect([videoFile.readUInt16BE(entry), videoFile.readUInt16BE(entry + 2)]).toEqual([1080, 1920]);
  });

  it('reads failures and errors', async () => {
    await expect(generate('kite [moderation]')).rejects.toThrow('No videos in response');
    await expect(generate('kite [fail]')).rejects.toThrow('internal error');
    await expect(generate('kite', { duration: 5 })).rejects.toMatchObject({ statusCode: 400 });
  });
});

// Version 3.1.0 submits videos only to Google's other platform, but it still polls and downloads from this API.
describe('@google/genai', () => {
  it('follows an operation to its end, and downloads', async () => {
    const httpOptions = { baseUrl: sandbox.url, apiVersion: 'v1beta' };
    const ai = new GoogleGenAI({ apiKey: 'sk-sandbox', httpOptions });
    const call = wireCaller(() => `${sandbox.url}/v1beta/models`, { 'x-goog-api-key': 'sk-sandbox' });
    const submitted = await call('POST', `/${MODEL}:predictLongRunning`, { instances: [{ prompt: 'kite' }] });
    let operation = new GenerateVideosOperation();
    operation.name = String(submitted.body['name']);
    while (operation.done !== true) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      operation = await ai.operations.getVideosOperation({ operation });
    }
    const [generated] = operation.response?.generatedVideos ?? [];
    const file = /files\/[a-z0-9]+/.exec(generated?.video?.uri ?? '')?.[0] ?? '';
    const downloadPath = path.join(folder, 'kite.mp4');
    await ai.files.download({ file, downloadPath });
    expect((await readFile(downloadPath)).toString('latin1', 4, 8)).toBe('ftyp');
  });
});
