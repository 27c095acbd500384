import { createByteDance } from '@ai-sdk/bytedance';
import { experimental_generateVideo as generateVideo } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { download, imageUrl } from '../../../test/wire-caller.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ renderMs: 40 });
});
afterEach(() => sandbox.close());

const polled = { pollIntervalMs: 10, pollTimeoutMs: 5000 };

function model(name: string, apiKey = 'sk-sandbox') {
  return createByteDance({ apiKey, baseURL: `${sandbox.url}/ark/api/v3` }).video(name);
}

function generate(prompt: string, apiKey?: string) {
  const providerOptions = { bytedance: polled };
  return generateVideo({
    model: model('seedance-1-5-pro-251215', apiKey),
    prompt,
    providerOptions,
    download,
    maxRetries: 0,
  });
}

async function submissions(): Promise<unknown> {
  return (await fetch(`${sandbox.url}/_sandbox/submissions?wire=ark`)).json();
}

const image = Buffer.from(imageUrl(400, 300).replace(/^.*,/, ''), 'base64');

describe('@ai-sdk/bytedance', () => {
  it('generates a video from text and downloads it', async () => {
    const { video, warnings, providerMetadata } = await generateVideo({
      model: model('seedance-1-0-pro-250528'),
      prompt: 'a kite',
      aspectRatio: '16:9',
      resolution: '1280x720',
      duration: 2,
      seed: 7,
      providerOptions: {
        bytedance: { ...polled, watermark: false, cameraFixed: true, returnLastFrame: true, serviceTier: 'default' },
      },
      download,
      maxRetries: 0,
    });
    expect(video.mediaType).toBe('video/mp4');
    expect(Buffer.from(video.uint8Array).toString('latin1', 4, 8)).toBe('ftyp');
    expect(warnings).toEqual([]);
    expect(providerMetadata).toMatchObject({ bytedance: { usage: { completion_tokens: expect.any(Number) } } });
  });

  it('generates a video from frames', async () => {
    await generateVideo({
      model: model('seedance-1-0-pro-250528'),
      prompt: { image: image, text: 'it flies' },
      providerOptions: { bytedance: { ...polled, lastFrameImage: 'https://example.com/b.png' } },
      download,
      maxRetries: 0,
    });
    const inputs = [{ field: 'first_frame', mediaType: 'image/png' }, { field: 'last_frame' }];
    expect(await submissions()).toMatchObject({ submissions: [{ inputs }] });
  });

  it('generates a video from references', async () => {
    await generateVideo({
      model: model('seedance-2-0-260128'),
      prompt: 'it flies',
      inputReferences: [image, { data: 'https://example.com/b.mp4', mediaType: 'video/mp4' }],
      generateAudio: true,
      duration: 4,
      providerOptions: { bytedance: { ...polled, referenceAudio: ['https://example.com/c.mp3'] } },
      download,
      maxRetries: 0,
    });
    const inputs = ['reference_image', 'reference_video', 'reference_audio'].map((field) => ({ field }));
    expect(await submissions()).toMatchObject({ submissions: [{ inputs }] });
  });

  it('reports why a video was rejected or failed', async () => {
    await expect(generate('kite [moderation]')).rejects.toThrow('the input text may contain sensitive information');
    await expect(generate('kite', 'sk-other')).rejects.toThrow('missing or invalid');
    await expect(generate('kite [moderated-output]')).rejects.toThrow('"status":"failed"');
    await expect(generate('kite [nothing]')).rejects.toThrow('No video URL in response');
    await expect(generate('kite [expire]')).rejects.toThrow('HTTP 403');
  });
});
