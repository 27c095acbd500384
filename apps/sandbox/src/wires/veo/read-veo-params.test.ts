import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const NEWEST = 'veo-3.1-generate-preview';
const bytesBase64Encoded = renderImage({ prompt: 'kite', width: 64, height: 36 }).toString('base64');
const image = { bytesBase64Encoded, mimeType: 'image/png' };
const reference = { image, referenceType: 'asset' };
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const call = wireCaller(() => `${sandbox.url}/v1beta/models`, { 'x-goog-api-key': 'sk-sandbox' });
const submit = (model: string, body: unknown) => call('POST', `/${model}:predictLongRunning`, body);
const params = (instance: object, parameters: object = {}) => ({
  instances: [{ prompt: 'kite', ...instance }],
  parameters,
});

describe(':predictLongRunning rejects', () => {
  it.each([
    [NEWEST, [], 'Expected an object'],
    [NEWEST, {}, 'Exactly one instance'],
    [NEWEST, { instances: [] }, 'Exactly one instance'],
    [NEWEST, { instances: [{ prompt: 'a' }, { prompt: 'b' }] }, 'Exactly one instance'],
    [NEWEST, { ...params({}), prompt: 'kite' }, 'Unknown name "prompt"'],
    [NEWEST, params({ prompt: ' ' }), '`prompt` is required'],
    [NEWEST, params({ prompt: 5 }), 'The value type for `prompt` needs to be a string'],
    [NEWEST, params({ prompt: 'word '.repeat(1025) }), '1024 tokens'],
    [NEWEST, params({ inlineData: image }), "`inlineData` isn't supported"],
    [NEWEST, params({}, { fps: 24 }), "`fps` isn't supported"],
    [NEWEST, params({}, { generateAudio: true }), "`generateAudio` isn't supported"],
    [NEWEST, params({}, { aspectRatio: '1:1' }), 'supported value for `aspectRatio`'],
    [NEWEST, params({}, { resolution: '480p' }), 'supported value for `resolution`'],
    [NEWEST, params({}, { resolution: '1080p', durationSeconds: 4 }), 'requires `durationSeconds` to be 8'],
    [NEWEST, params({}, { durationSeconds: '8' }), 'needs to be a number'],
    [NEWEST, params({}, { durationSeconds: 5 }), 'supported durations are [4,6,8]'],
    [NEWEST, params({}, { durationSeconds: 10 }), 'out of bound'],
    [NEWEST, params({}, { sampleCount: 2 }), 'out of bound'],
    [NEWEST, params({}, { seed: -1 }), 'out of bound'],
    [NEWEST, params({}, { personGeneration: 'everybody' }), '`personGeneration`'],
    [NEWEST, params({}, { negativePrompt: [] }), '`negativePrompt` needs to be a string'],
    [NEWEST, params({ image: 'https://a.example/a.png' }), '`image` needs to be a struct'],
    [NEWEST, params({ image: { gcsUri: 'gs://a/b', mimeType: 'image/png' } }), "`gcsUri` isn't supported"],
    [NEWEST, params({ image: { bytesBase64Encoded } }), 'Unsupported mime type'],
    [NEWEST, params({ image: { mimeType: 'image/png' } }), '`bytesBase64Encoded` is required'],
    [NEWEST, params({ image: { ...image, bytesBase64Encoded: 'AAAA' } }), 'Unable to process input image'],
    [NEWEST, params({ image: { ...image, bytesBase64Encoded: 'no base64!' } }), 'Unable to process input image'],
    [NEWEST, params({ lastFrame: image }), '`lastFrame` requires `image`'],
    [NEWEST, params({ image, lastFrame: image }, { durationSeconds: 4 }), 'supported durations are [8]'],
    [NEWEST, params({ image, referenceImages: [reference] }), 'cannot be used together'],
    [NEWEST, params({ referenceImages: [reference, reference, reference, reference] }), 'At most 3'],
    [NEWEST, params({ referenceImages: [{ image, referenceType: 'style' }] }), 'must be `asset`'],
    ['veo-3.0-generate-001', params({ image, lastFrame: image }), "`lastFrame` isn't supported"],
    ['veo-3.0-generate-001', params({}, { resolution: '4k' }), 'supported value for `resolution`'],
    ['veo-3.1-lite-generate-preview', params({ referenceImages: [reference] }), "`referenceImages` isn't supported"],
    ['veo-2.0-generate-001', params({}, { resolution: '720p' }), "`resolution` isn't supported"],
    ['veo-2.0-generate-001', params({}, { durationSeconds: 4 }), 'out of bound'],
  ])('%s: %j', async (model, body, words) => {
    const { status, body: response } = await submit(model, body);
    expect([status, at(response, 'error.status')]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(at(response, 'error.message')).toContain(words);
  });

  it('models without video', async () => {
    const { status, body } = await submit('gemini-2.5-flash', params({}));
    expect([status, at(body, 'error.status')]).toEqual([404, 'NOT_FOUND']);
  });
});

describe(':predictLongRunning accepts', () => {
  it.each([
    [NEWEST, params({ image, lastFrame: image }, { durationSeconds: 8, aspectRatio: '9:16', resolution: '4k' })],
    [NEWEST, params({ referenceImages: [reference, reference, reference] }, { negativePrompt: 'rain', seed: 7 })],
    [NEWEST, { instances: [{ image }], parameters: null, webhookConfig: {} }],
    [
      'veo-3.0-fast-generate-001',
      params({ image }, { resolution: '1080p', sampleCount: 1, personGeneration: 'allow_all' }),
    ],
    ['veo-2.0-generate-001', params({}, { durationSeconds: 5, sampleCount: 2 })],
    ['sandbox-veo', params({}, { durationSeconds: 7, sampleCount: 4 })],
  ])('%s: request %#', async (model, body) => {
    const { status, body: response } = await submit(model, body);
    expect(response).toEqual({ name: expect.stringMatching(new RegExp(`^models/${model}/operations/[0-9a-f]{24}$`)) });
    expect(status).toBe(200);
  });
});
