import { describe, expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';
import { expirySeconds } from './expiry.ts';

const MODEL = 'doubao-seedance-1-0-pro-250528';

async function submitted(params: ReturnType<typeof videoParams>, status = 200, body: unknown = { id: 'cgt-1' }) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig({ kind: 'ark', base_url: `${vendor.origin}/api/v3`, api_key: MEDIA_KEY });
  const outcome = await rig.video.submit(params, NEVER);
  return { outcome, recorded: vendor.recorded, logged: rig.logged() };
}

describe('request', () => {
  it('contains the prompt, the images with roles, and planned fields', async () => {
    const images = [image('A'), image('B', 'last_frame')];
    const params = videoParams({ seconds: '8', size: '1280x720', seed: 7, watermark: false }, { model: MODEL, images });
    const { recorded, outcome } = await submitted(params);
    expect(recorded).toHaveLength(1);
    expect(recorded[0]).toMatchObject({ method: 'POST', url: '/api/v3/contents/generations/tasks' });
    expect(recorded[0]?.headers.authorization).toBe(`Bearer ${MEDIA_KEY}`);
    expect(recorded[0]?.body).toEqual({
      model: MODEL,
      content: [
        { type: 'text', text: 'a red kite' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' }, role: 'first_frame' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,Qg==' }, role: 'last_frame' },
      ],
      duration: 8,
      ratio: '16:9',
      resolution: '720p',
      seed: 7,
      watermark: false,
      execution_expires_after: expirySeconds(params.reference),
    });
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: 'cgt-1', seconds: '8' });
  });

  it('contains references as such', async () => {
    const images = [image('A', 'reference')];
    const { recorded } = await submitted(videoParams({ prompt: '' }, { model: 'doubao-seedance-2-0-260128', images }));
    expect(recorded[0]?.body).toMatchObject({ content: [{ type: 'image_url', role: 'reference_image' }] });
  });

  it('accepts vendor options outside planned fields', async () => {
    const metadata = {
      camera_fixed: true,
      service_tier: 'flex',
      model: 'dear-model',
      content: [],
      callback_url: 'https://spy.example',
      Callback_URL: 'https://spy.example',
      duration: 12,
      Duration: 12,
      frames: 289,
      ratio: '1:1',
      execution_expires_after: 3600,
    };
    const unknown = await submitted(videoParams({ metadata }, { model: 'ep-1' }));
    expect(JSON.stringify(unknown.recorded[0]?.body)).not.toMatch(/duration|frames/i);
    const { recorded } = await submitted(videoParams({ aspectRatio: '16:9', metadata }, { model: MODEL }));
    expect(recorded[0]?.body).toMatchObject({
      camera_fixed: true,
      service_tier: 'flex',
      model: MODEL,
      duration: 5,
      ratio: '16:9',
    });
    expect(JSON.stringify(recorded[0]?.body)).not.toMatch(/spy|dear|289|3600|12/);
  });

  it('is not sent with an image above the vendor’s limit', async () => {
    const images = [{ ...image('A'), bytes: 31 * 1024 * 1024 }];
    const { recorded, outcome } = await submitted(videoParams({}, { model: MODEL, images }));
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
    expect(JSON.stringify(outcome)).toContain('30 MB');
    expect(recorded).toHaveLength(0);
  });

  it('is not sent if the image cannot be opened', async () => {
    const images = [{ ...image('A'), open: () => Promise.reject(new Error('gone')) }];
    const { recorded, outcome } = await submitted(videoParams({}, { model: MODEL, images }));
    expect([outcome.kind, recorded.length]).toEqual(['busy', 0]);
  });
});

const error = (code: string, message = 'why') => ({ error: { code, message } });

describe('response', () => {
  it.each([
    [400, error('InvalidParameter.InvalidValue'), { kind: 'rejected', code: 'invalid_request', message: 'why' }],
    [400, error('MissingParameter'), { kind: 'rejected', code: 'invalid_request' }],
    [404, error('InvalidParameter'), { kind: 'rejected', code: 'invalid_request' }],
    [400, {}, { kind: 'rejected', message: 'The upstream returned HTTP 400.' }],
    [400, error('InputTextSensitiveContentDetected'), { kind: 'rejected', code: 'content_policy' }],
    [400, error('InputImageSensitiveContentDetected.PrivacyInformation'), { kind: 'rejected', code: 'content_policy' }],
    [400, error('InputTextRiskDetection'), { kind: 'rejected', code: 'content_policy' }],
    [403, error('AccountOverdueError'), { kind: 'account', code: 'provider_quota' }],
    [403, error('OperationDenied.ServiceOverdue'), { kind: 'account', code: 'provider_quota' }],
    [429, error('SetLimitExceeded'), { kind: 'account', code: 'provider_quota' }],
    [429, error('QuotaExceeded', 'has exhausted its free trial quota'), { kind: 'account', code: 'provider_quota' }],
    [
      429,
      error('QuotaExceeded', 'You have exceeded the weekly usage quota'),
      { kind: 'account', code: 'provider_quota' },
    ],
    [429, error('QuotaExceeded', 'The request has exceeded the quota.'), { kind: 'busy', code: 'rate_limited' }],
    [429, error('RateLimitExceeded.EndpointRPMExceeded'), { kind: 'busy', code: 'rate_limited' }],
    [429, error('ServerOverloaded'), { kind: 'busy', code: 'provider_error' }],
    [401, error('AuthenticationError'), { kind: 'account', code: 'provider_auth' }],
    [403, error('AccessDenied'), { kind: 'account', code: 'provider_auth' }],
    [404, error('ModelNotOpen'), { kind: 'account', code: 'provider_auth' }],
    [404, error('InvalidEndpointOrModel.NotFound'), { kind: 'account', code: 'provider_auth' }],
    [403, error('OperationDenied.ServiceNotOpen'), { kind: 'account', code: 'provider_auth' }],
    [500, error('InternalServiceError'), { kind: 'unknown' }],
    [502, error('InputTextSensitiveContentDetected'), { kind: 'unknown' }],
    [503, {}, { kind: 'busy' }],
    [307, {}, { kind: 'unknown' }],
  ])('HTTP %i %o', async (status, body, expected) => {
    const { outcome, recorded } = await submitted(videoParams({}), status, body);
    expect(outcome).toMatchObject(expected);
    expect(recorded).toHaveLength(1);
  });

  it.each([{}, { id: '' }, { id: null }, { id: 2 ** 53 }, { id: 'a b' }, [], 'ok', error('no')])(
    'is unknown after a success without a usable id: %o',
    async (body) => {
      expect((await submitted(videoParams({}), 200, body)).outcome).toMatchObject({ kind: 'unknown' });
    },
  );

  it('contains neither key nor host in its outcome', async () => {
    const message = `Bad key ${MEDIA_KEY}, ask https://ark.example, request id 0217856889436799`;
    const { outcome } = await submitted(videoParams({}), 400, error('InvalidParameter', message));
    expect(JSON.stringify(outcome)).not.toMatch(/0123456789|ark\.example|02178/);
  });
});

it('is not logged, nor is the request', async () => {
  expect((await submitted(videoParams({}))).logged).not.toMatch(/red kite|cgt-1|0123456789/);
});
