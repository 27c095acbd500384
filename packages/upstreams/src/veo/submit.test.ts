import { describe, expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

const MODEL = 'veo-3.1-generate-preview';
const NAME = `models/${MODEL}/operations/abc-1`;

async function submitted(params: ReturnType<typeof videoParams>, status = 200, body: unknown = { name: NAME }) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig({ kind: 'veo', base_url: `${vendor.origin}/v1beta`, api_key: MEDIA_KEY });
  const outcome = await rig.video.submit(params, NEVER);
  return { outcome, recorded: vendor.recorded, sent: vendor.recorded[0] };
}

const inline = (bytesBase64Encoded: string) => ({ bytesBase64Encoded, mimeType: 'image/png' });

describe('request', () => {
  it('is one instance with its images, and the parameters', async () => {
    const images = [image('B', 'last_frame'), image('A')];
    const { sent, outcome } = await submitted(videoParams({ negativePrompt: 'rain' }, { model: MODEL, images }));
    expect(sent).toMatchObject({ method: 'POST', url: `/v1beta/models/${MODEL}:predictLongRunning` });
    expect(sent?.headers['x-goog-api-key']).toBe(MEDIA_KEY);
    expect(sent?.headers.authorization).toBeUndefined();
    expect(sent?.body).toEqual({
      instances: [{ prompt: 'a red kite', image: inline('QQ=='), lastFrame: inline('Qg==') }],
      parameters: { durationSeconds: 8, negativePrompt: 'rain' },
    });
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: 'abc-1', path: NAME, seconds: '8' });
  });

  it('contains references as assets, in order', async () => {
    const images = [image('B', 'reference'), image('A', 'reference')];
    const { sent } = await submitted(videoParams({ prompt: '' }, { model: MODEL, images }));
    expect(sent?.body).toMatchObject({
      instances: [
        {
          referenceImages: [
            { image: inline('Qg=='), referenceType: 'asset' },
            { image: inline('QQ=='), referenceType: 'asset' },
          ],
        },
      ],
    });
  });

  it('sends vendor options as parameters, except planned fields', async () => {
    const metadata = {
      personGeneration: 'allow_adult',
      instances: ['spy'],
      model: 'spy',
      storageUri: 'gs://spy',
      webhookConfig: { uri: 'spy' },
      sampleCount: 99,
      parameters: {
        enhancePrompt: true,
        DurationSeconds: 99,
        resolution: 'spy',
        pubsubTopic: 'spy',
        numberOfVideos: 99,
      },
    };
    const { sent } = await submitted(videoParams({ resolution: '720p', metadata }, { model: MODEL }));
    expect(sent?.body).toEqual({
      instances: [{ prompt: 'a red kite' }],
      parameters: { personGeneration: 'allow_adult', enhancePrompt: true, durationSeconds: 8, resolution: '720p' },
    });
    const unknown = await submitted(videoParams({ metadata }, { model: 'next' }));
    expect(JSON.stringify(unknown.sent?.body)).not.toMatch(/durationSeconds/i);
  });

  it('is not sent with images above the vendor’s limit', async () => {
    const images = [{ ...image('A'), bytes: 15 * 1024 * 1024 }];
    const { outcome, recorded } = await submitted(videoParams({}, { model: MODEL, images }));
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
    expect(recorded).toHaveLength(0);
  });
});

const error = (code: number, status: string, message = 'why', details: object[] = []) => ({
  error: { code, status, message, details },
});

describe('response', () => {
  it.each([
    [400, error(400, 'INVALID_ARGUMENT'), { kind: 'rejected', code: 'invalid_request', message: 'why' }],
    [404, error(404, 'NOT_FOUND'), { kind: 'rejected', code: 'invalid_request' }],
    [400, {}, { kind: 'rejected', message: 'The upstream returned HTTP 400.' }],
    [
      400,
      error(400, 'INVALID_ARGUMENT', 'violates our usage guidelines'),
      { kind: 'rejected', code: 'content_policy' },
    ],
    [
      400,
      error(400, 'INVALID_ARGUMENT', 'x', [{ reason: 'API_KEY_INVALID' }]),
      { kind: 'account', code: 'provider_auth' },
    ],
    [403, error(403, 'PERMISSION_DENIED'), { kind: 'account', code: 'provider_auth' }],
    [429, error(429, 'RESOURCE_EXHAUSTED'), { kind: 'busy', code: 'rate_limited' }],
    [
      429,
      error(429, 'RESOURCE_EXHAUSTED', 'x', [{ retryDelay: '34s' }]),
      { kind: 'busy', code: 'rate_limited', retryAfterMs: 34_000 },
    ],
    [503, error(503, 'UNAVAILABLE'), { kind: 'busy', code: 'provider_error' }],
    [500, error(500, 'INTERNAL'), { kind: 'unknown' }],
    [504, error(504, 'DEADLINE_EXCEEDED'), { kind: 'unknown' }],
  ])('HTTP %i %o', async (status, body, expected) => {
    const { outcome, recorded } = await submitted(videoParams({}), status, body);
    expect(outcome).toMatchObject(expected);
    expect(recorded).toHaveLength(1);
  });

  it.each([
    {},
    { name: '' },
    { name: 'abc' },
    { name: 7 },
    { name: 'models/x/../../secrets/y' },
    { name: '/models/x/operations/y' },
    { name: 'models/x/operations/y?key=1' },
    { name: 'models/x/operations/' },
    error(400, 'INVALID_ARGUMENT'),
    [],
  ])('is unknown after a success without a usable name: %o', async (body) => {
    expect((await submitted(videoParams({}), 200, body)).outcome).toMatchObject({ kind: 'unknown' });
  });
});
