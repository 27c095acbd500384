import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, imageUrl, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const uri = imageUrl(64, 36);
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const headers = { authorization: 'Bearer sk-sandbox', 'x-runway-version': '2024-11-06' };
const call = wireCaller(() => `${sandbox.url}/runway/v1`, headers);

const gen = { model: 'gen4.5', promptText: 'kite', ratio: '1280:720', duration: 5 };
const turbo = { model: 'gen4_turbo', promptImage: uri, ratio: '1280:720' };
const veo = { model: 'veo3.1', promptText: 'kite', ratio: '1280:720' };
const dance = { model: 'seedance2', promptText: 'kite' };
const image = { model: 'gen4_image', promptText: 'kite', ratio: '1280:720' };

describe('text_to_video rejects', () => {
  it.each([
    [[], ''],
    [{}, 'model'],
    [{ ...gen, model: 'gen2' }, 'model'],
    [{ ...gen, promptText: undefined }, 'promptText'],
    [{ ...gen, promptText: '' }, 'promptText'],
    [{ ...gen, promptText: 'x'.repeat(1001) }, 'promptText'],
    [{ ...gen, duration: undefined }, 'duration'],
    [{ ...gen, duration: 11 }, 'duration'],
    [{ ...gen, duration: '5' }, 'duration'],
    [{ ...gen, duration: 2.5 }, 'duration'],
    [{ ...gen, ratio: '16:9' }, 'ratio'],
    [{ ...gen, ratio: '960:960' }, 'ratio'],
    [{ ...gen, seed: -1 }, 'seed'],
    [{ ...gen, outputFormat: 'prores' }, 'outputFormat'],
    [{ ...gen, negativePrompt: 'rain' }, ''],
    [{ ...gen, promptImage: uri }, ''],
    [{ ...gen, contentModeration: { publicFigureThreshold: 'high' } }, 'contentModeration.publicFigureThreshold'],
    [{ ...veo, duration: 5 }, 'duration'],
    [{ ...veo, audio: 'yes' }, 'audio'],
    [{ ...dance, references: Array.from({ length: 10 }, () => ({ uri })) }, 'references'],
    [{ ...dance, references: [{ uri: 'kite.png' }] }, 'references.0.uri'],
    [{ ...dance, duration: 16 }, 'duration'],
  ])('%j', async (body, path) => {
    const { status, body: response } = await call('POST', '/text_to_video', body);
    expect([status, at(response, 'error')]).toEqual([400, 'Validation of body failed']);
    const [issue] = at(response, 'issues') as { path: PropertyKey[] }[];
    expect(issue?.path.join('.')).toBe(path);
  });

  it('lists the valid models, as the vendor does', async () => {
    const { body } = await call('POST', '/text_to_video', {});
    expect(body).toMatchObject({
      issues: [{ code: 'invalid_union', note: 'No matching discriminator', discriminator: 'model', path: ['model'] }],
      docUrl: 'https://docs.dev.runwayml.com/api',
    });
  });
});

describe('image_to_video rejects', () => {
  const first = { uri, position: 'first' };
  const last = { uri, position: 'last' };

  it.each([
    [{ ...turbo, promptImage: undefined }, 'promptImage'],
    [{ ...turbo, promptImage: 'http://a.example/a.png' }, 'promptImage'],
    [{ ...turbo, promptImage: 'https://127.0.0.1/a.png' }, 'promptImage'],
    [{ ...turbo, promptImage: `https://a.example/${'a'.repeat(2050)}` }, 'promptImage'],
    [{ ...turbo, promptImage: 'data:image/png;base64,AAAA' }, 'promptImage'],
    [{ ...turbo, promptImage: uri.replace('data:image/png;base64,', '') }, 'promptImage'],
    [{ ...turbo, promptImage: [] }, 'promptImage'],
    [{ ...turbo, promptImage: [last] }, 'promptImage'],
    [{ ...turbo, promptImage: [first, first] }, 'promptImage'],
    [{ ...turbo, promptText: '' }, 'promptText'],
    [{ ...turbo, ratio: '1920:1080' }, 'ratio'],
    [{ ...veo, promptImage: [last] }, 'promptImage'],
    [{ ...veo, promptImage: [first, first] }, 'promptImage'],
    [{ ...veo, promptImage: [{ uri }] }, 'promptImage'],
    [{ ...dance, promptImage: [first, { uri }] }, 'promptImage'],
    [{ model: 'happyhorse_1_0', promptImage: uri, ratio: '1280:720' }, ''],
  ])('%j', async (body, path) => {
    const { status, body: response } = await call('POST', '/image_to_video', body);
    expect([status, at(response, 'error')]).toEqual([400, 'Validation of body failed']);
    expect(String(at(response, 'issues.0.path'))).toBe(path);
  });
});

describe('text_to_image rejects', () => {
  it.each([
    [{ ...image, model: 'gen4.5' }, 'model'],
    [{ ...image, ratio: '16:9' }, 'ratio'],
    [{ ...image, outputCount: 2 }, ''],
    [{ ...image, referenceImages: Array.from({ length: 4 }, () => ({ uri })) }, 'referenceImages'],
    [{ ...image, referenceImages: [{ uri, tag: 'a-b' }] }, 'referenceImages,0,tag'],
    [{ ...image, model: 'gen4_image_turbo' }, 'referenceImages'],
    [{ ...image, model: 'gpt_image_2', ratio: 'auto', outputCount: 11 }, 'outputCount'],
    [{ ...image, model: 'gemini_image3_pro', ratio: '1024:1024', outputCount: 2 }, 'outputCount'],
    [{ ...image, model: 'seedream5_lite', ratio: '1024:1024' }, 'ratio'],
  ])('%j', async (body, path) => {
    const { status, body: response } = await call('POST', '/text_to_image', body);
    expect([status, String(at(response, 'issues.0.path'))]).toEqual([400, path]);
  });
});

describe('accepts', () => {
  it.each([
    ['text_to_video', { ...gen, seed: 7, outputFormat: 'mp4', contentModeration: {} }, 25],
    ['text_to_video', { ...dance, duration: 'auto', ratio: '3840:2160', references: [{ uri }], audio: true }, 25],
    ['text_to_video', { model: 'hailuo3', promptText: 'kite', ratio: '21:9', resolution: '2k', duration: 4 }, 20],
    ['text_to_video', { model: 'wan3_prime', promptText: 'kite', ratio: 'auto_480p' }, 25],
    ['image_to_video', { ...turbo, duration: 10 }, 50],
    [
      'image_to_video',
      {
        ...veo,
        promptImage: [
          { uri, position: 'first' },
          { uri, position: 'last' },
        ],
      },
      40,
    ],
    ['image_to_video', { ...dance, promptImage: [{ uri }, { uri }] }, 25],
    ['image_to_video', { ...turbo, promptImage: 'runway://upload-1' }, 25],
    ['text_to_image', { ...image, referenceImages: [{ uri: 'https://a.example/a.png', tag: 'kite' }] }, 5],
    ['text_to_image', { model: 'gpt_image_2', promptText: 'kite', ratio: 'auto', outputCount: 3 }, 15],
    ['text_to_image', { model: 'seedream5_lite', promptText: 'kite', ratio: '2000:2000' }, 5],
  ])('%s of %j', async (path, body, credits) => {
    const { status, body: response } = await call('POST', `/${path}`, body);
    expect([status, response]).toEqual([200, { id: expect.any(String), estimatedCost: { credits } }]);
  });
});
