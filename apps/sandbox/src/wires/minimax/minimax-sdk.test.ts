import { createMiniMax } from '@ai-sdk/minimax';
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
  return createMiniMax({ apiKey, videoBaseURL: `${sandbox.url}/minimax` }).video(name);
}

function generate(prompt: string, apiKey?: string) {
  return generateVideo({ ...quick, model: model('MiniMax-H3-Max', apiKey), prompt, resolution: '854x480' });
}

async function submissions(): Promise<unknown> {
  return (await fetch(`${sandbox.url}/_sandbox/submissions?wire=minimax`)).json();
}

const image = Buffer.from(imageUrl(400, 300).replace(/^.*,/, ''), 'base64');

describe('@ai-sdk/minimax', () => {
  it('generates a video from text and downloads it', async () => {
    const { video, warnings, providerMetadata } = await generateVideo({
      ...quick,
      model: model('MiniMax-H3'),
      prompt: 'a kite',
      resolution: '1366x768',
      aspectRatio: '16:9',
      duration: 4,
      providerOptions: { minimax: { aigcWatermark: false } },
    });
    expect(video.mediaType).toBe('video/mp4');
    expect(Buffer.from(video.uint8Array).toString('latin1', 4, 8)).toBe('ftyp');
    expect(warnings).toEqual([]);
    const metadata = { duration: 4, ratio: '16:9', resolution: '768P', usage: { outputSeconds: 4 } };
    expect(providerMetadata).toMatchObject({ minimax: metadata });
  });

  it('generates a video from frames', async () => {
    await generateVideo({
      ...quick,
      model: model('MiniMax-H3-Max'),
      prompt: 'it flies',
      frameImages: [
        { image: image, frameType: 'first_frame' },
        { image: 'https://example.com/b.png', frameType: 'last_frame' },
      ],
      resolution: '854x480',
    });
    const inputs = [{ field: 'first_frame', mediaType: 'image/png' }, { field: 'last_frame' }];
    expect(await submissions()).toMatchObject({ submissions: [{ inputs }] });
  });

  it('generates a video from references', async () => {
    await generateVideo({
      ...quick,
      model: model('MiniMax-H3'),
      prompt: 'it flies',
      inputReferences: [image, { data: 'https://example.com/b.mp4', mediaType: 'video/mp4' }],
      resolution: '1366x768',
      duration: 4,
      providerOptions: { minimax: { referenceAudioUrls: ['mm_file://1'] } },
    });
    const inputs = ['reference_image', 'reference_video', 'reference_audio'].map((field) => ({ field }));
    expect(await submissions()).toMatchObject({ submissions: [{ inputs }] });
  });

  it('reports why a video was rejected or failed', async () => {
    await expect(generate('kite [moderation]')).rejects.toThrow('video description contains sensitive content (1026)');
    await expect(generate('kite', 'sk-other')).rejects.toThrow('invalid api key (2049)');
    await expect(generate('kite [moderated-output]')).rejects.toThrow(
      'video generated contains sensitive content (1027)',
    );
    await expect(generate('kite [nothing]')).rejects.toThrow('no video URL was returned');
    await expect(generate('kite [expire]')).rejects.toThrow('HTTP 403');
  });
});
