import { createAlibaba } from '@ai-sdk/alibaba';
import { experimental_generateVideo as generateVideo } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { download, imageUrl } from '../../../test/wire-caller.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ renderMs: 40 });
});
afterEach(() => sandbox.close());

const quick = { download, poll: { intervalMs: 10 }, maxRetries: 0 };

function model(name: string, apiKey = 'sk-sandbox') {
  return createAlibaba({ apiKey, videoBaseURL: `${sandbox.url}/dashscope` }).video(name);
}

function generate(prompt: string, apiKey?: string) {
  return generateVideo({ ...quick, model: model('wan2.7-t2v', apiKey), prompt });
}

async function submissions(): Promise<unknown> {
  return (await fetch(`${sandbox.url}/_sandbox/submissions?wire=dashscope`)).json();
}

describe('@ai-sdk/alibaba', () => {
  it('generates a video from text and downloads it', async () => {
    const { video, warnings, providerMetadata } = await generateVideo({
      ...quick,
      model: model('wan2.6-t2v'),
      prompt: 'a kite',
      resolution: '1280x720',
      duration: 2,
      seed: 7,
      providerOptions: { alibaba: { negativePrompt: 'rain', promptExtend: false, shotType: 'single' } },
    });
    expect(video.mediaType).toBe('video/mp4');
    expect(Buffer.from(video.uint8Array).toString('latin1', 4, 8)).toBe('ftyp');
    expect(warnings).toEqual([]);
    expect(providerMetadata).toMatchObject({ alibaba: { usage: { duration: 2, resolution: 720, size: '1280*720' } } });
  });

  it.each([
    ['wan2.6-i2v', 'input.img_url'],
    ['wan2.7-i2v', 'input.img_url'],
    ['wan3.0-video', 'first_frame'],
  ])('generates a video from an image with %s', async (name, field) => {
    const image = Buffer.from(imageUrl(320, 240).replace(/^.*,/, ''), 'base64');
    const { video } = await generateVideo({
      ...quick,
      model: model(name),
      prompt: { image, text: 'it flies' },
      resolution: '1280x720',
      duration: 2,
    });
    expect(video.uint8Array.length).toBeGreaterThan(1000);
    expect(await submissions()).toMatchObject({ submissions: [{ inputs: [{ field, mediaType: 'image/png' }] }] });
  });

  it.each([
    ['wan2.6-r2v', '1280x720'],
    ['wan2.7-r2v', '1280x720'],
    ['wan3.0-video', '832x480'],
  ] as const)('generates a video from references with %s', async (name, resolution) => {
    const { video } = await generateVideo({
      ...quick,
      model: model(name),
      prompt: 'character1 flies',
      inputReferences: ['https://example.com/a.png', 'https://example.com/b.mp4'],
      resolution,
      duration: 2,
    });
    expect(video.uint8Array.length).toBeGreaterThan(1000);
    expect(await submissions()).toMatchObject({ submissions: [{ inputs: [{}, {}] }] });
  });

  it('reports why a video was rejected or failed', async () => {
    await expect(generate('kite [moderation]')).rejects.toThrow('Input data may contain inappropriate content.');
    await expect(generate('kite', 'sk-other')).rejects.toThrow('Invalid API-key provided.');
    await expect(generate('kite [moderated-output]')).rejects.toThrow('Output data may contain inappropriate content.');
    await expect(generate('kite [nothing]')).rejects.toThrow('No video URL in response');
    await expect(generate('kite [expire]')).rejects.toThrow('HTTP 403');
  });
});
