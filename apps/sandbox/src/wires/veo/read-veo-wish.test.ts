import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { renderPicture } from '../../media/picture/render-picture.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const NEWEST = 'veo-3.1-generate-preview';
const bytesBase64Encoded = renderPicture({ prompt: 'kite', width: 64, height: 36 }).toString('base64');
const image = { bytesBase64Encoded, mimeType: 'image/png' };
const reference = { image, referenceType: 'asset' };
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const call = wireCaller(() => `${sandbox.url}/v1beta/models`, { 'x-goog-api-key': 'sk-sandbox' });
const submit = (model: string, body: unknown) => call('POST', `/${model}:predictLongRunning`, body);
const wish = (instance: object, parameters: object = {}) => ({
  instances: [{ prompt: 'kite', ...instance }],
  parameters,
});

describe(':predictLongRunning refuses', () => {
  it.each([
    [NEWEST, [], 'Expected an object'],
    [NEWEST, {}, 'Exactly one instance'],
    [NEWEST, { instances: [] }, 'Exactly one instance'],
    [NEWEST, { instances: [{ prompt: 'a' }, { prompt: 'b' }] }, 'Exactly one instance'],
    [NEWEST, { ...wish({}), prompt: 'kite' }, 'Unknown name "prompt"'],
    [NEWEST, wish({ prompt: ' ' }), '`prompt` is required'],
    [NEWEST, wish({ prompt: 5 }), 'The value type for `prompt` needs to be a string'],
    [NEWEST, wish({ prompt: 'word '.repeat(1025) }), '1024 tokens'],
    [NEWEST, wish({ inlineData: image }), "`inlineData` isn't supported"],
    [NEWEST, wish({}, { fps: 24 }), "`fps` isn't supported"],
    [NEWEST, wish({}, { generateAudio: true }), "`generateAudio` isn't supported"],
    [NEWEST, wish({}, { aspectRatio: '1:1' }), 'supported value for `aspectRatio`'],
    [NEWEST, wish({}, { resolution: '480p' }), 'supported value for `resolution`'],
    [NEWEST, wish({}, { resolution: '1080p', durationSeconds: 4 }), 'requires `durationSeconds` to be 8'],
    [NEWEST, wish({}, { durationSeconds: '8' }), 'needs to be a number'],
    [NEWEST, wish({}, { durationSeconds: 5 }), 'supported durations are [4,6,8]'],
    [NEWEST, wish({}, { durationSeconds: 10 }), 'out of bound'],
    [NEWEST, wish({}, { sampleCount: 2 }), 'out of bound'],
    [NEWEST, wish({}, { seed: -1 }), 'out of bound'],
    [NEWEST, wish({}, { personGeneration: 'everybody' }), '`personGeneration`'],
    [NEWEST, wish({}, { negativePrompt: [] }), '`negativePrompt` needs to be a string'],
    [NEWEST, wish({ image: 'https://a.example/a.png' }), '`image` needs to be a struct'],
    [NEWEST, wish({ image: { gcsUri: 'gs://a/b', mimeType: 'image/png' } }), "`gcsUri` isn't supported"],
    [NEWEST, wish({ image: { bytesBase64Encoded } }), 'Unsupported mime type'],
    [NEWEST, wish({ image: { mimeType: 'image/png' } }), '`bytesBase64Encoded` is required'],
    [NEWEST, wish({ image: { ...image, bytesBase64Encoded: 'AAAA' } }), 'Unable to process input image'],
    [NEWEST, wish({ image: { ...image, bytesBase64Encoded: 'no base64!' } }), 'Unable to process input image'],
    [NEWEST, wish({ lastFrame: image }), '`lastFrame` requires `image`'],
    [NEWEST, wish({ image, lastFrame: image }, { durationSeconds: 4 }), 'supported durations are [8]'],
    [NEWEST, wish({ image, referenceImages: [reference] }), 'cannot be used together'],
    [NEWEST, wish({ referenceImages: [reference, reference, reference, reference] }), 'At most 3'],
    [NEWEST, wish({ referenceImages: [{ image, referenceType: 'style' }] }), 'must be `asset`'],
    ['veo-3.0-generate-001', wish({ image, lastFrame: image }), "`lastFrame` isn't supported"],
    ['veo-3.0-generate-001', wish({}, { resolution: '4k' }), 'supported value for `resolution`'],
    ['veo-3.1-lite-generate-preview', wish({ referenceImages: [reference] }), "`referenceImages` isn't supported"],
    ['veo-2.0-generate-001', wish({}, { resolution: '720p' }), "`resolution` isn't supported"],
    ['veo-2.0-generate-001', wish({}, { durationSeconds: 4 }), 'out of bound'],
  ])('%s: %j', async (model, body, words) => {
    const { status, body: said } = await submit(model, body);
    expect([status, at(said, 'error.status')]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(at(said, 'error.message')).toContain(words);
  });

  it('models that make no films', async () => {
    const { status, body } = await submit('gemini-2.5-flash', wish({}));
    expect([status, at(body, 'error.status')]).toEqual([404, 'NOT_FOUND']);
  });
});

describe(':predictLongRunning takes', () => {
  it.each([
    [NEWEST, wish({ image, lastFrame: image }, { durationSeconds: 8, aspectRatio: '9:16', resolution: '4k' })],
    [NEWEST, wish({ referenceImages: [reference, reference, reference] }, { negativePrompt: 'rain', seed: 7 })],
    [NEWEST, { instances: [{ image }], parameters: null, webhookConfig: {} }],
    [
      'veo-3.0-fast-generate-001',
      wish({ image }, { resolution: '1080p', sampleCount: 1, personGeneration: 'allow_all' }),
    ],
    ['veo-2.0-generate-001', wish({}, { durationSeconds: 5, sampleCount: 2 })],
    ['sandbox-veo', wish({}, { durationSeconds: 7, sampleCount: 4 })],
  ])('%s: wish %#', async (model, body) => {
    const { status, body: said } = await submit(model, body);
    expect(said).toEqual({ name: expect.stringMatching(new RegExp(`^models/${model}/operations/[0-9a-f]{24}$`)) });
    expect(status).toBe(200);
  });
});
