import { describe, expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

async function submitted(params: ReturnType<typeof videoParams>, status = 200, body: unknown = { task_id: '891' }) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig({ kind: 'vidu', base_url: `${vendor.origin}/ent/v2`, api_key: MEDIA_KEY });
  const outcome = await rig.video.submit(params, NEVER);
  return { outcome, recorded: vendor.recorded, sent: vendor.recorded[0] };
}

describe('request', () => {
  it("is sent to the endpoint for its images, the first frame first, with the attempt's reference", async () => {
    const images = [image('B', 'last_frame'), image('A')];
    const { sent, outcome } = await submitted(videoParams({ seed: 7 }, { model: 'viduq2-pro', images }));
    expect(sent).toMatchObject({ method: 'POST', url: '/ent/v2/start-end2video' });
    expect(sent?.headers.authorization).toBe(`Token ${MEDIA_KEY}`);
    expect(sent?.body).toEqual({
      model: 'viduq2-pro',
      prompt: 'a red kite',
      images: ['data:image/png;base64,QQ==', 'data:image/png;base64,Qg=='],
      duration: 5,
      seed: 7,
      payload: 'video_task1-1',
    });
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: '891', seconds: '5' });
  });

  it('keeps references in order', async () => {
    const images = ['C', 'A', 'B'].map((text) => image(text, 'reference'));
    const { sent } = await submitted(videoParams({}, { model: 'viduq2', images }));
    expect(sent).toMatchObject({
      url: '/ent/v2/reference2video',
      body: { images: ['Qw==', 'QQ==', 'Qg=='].map((base64) => `data:image/png;base64,${base64}`) },
    });
  });

  it('has no images field without images', async () => {
    const { sent } = await submitted(videoParams({}, { model: 'viduq3-pro' }));
    expect(sent?.url).toBe('/ent/v2/text2video');
    expect(sent?.body).not.toHaveProperty('images');
  });

  it('accepts vendor options outside planned fields', async () => {
    const metadata = {
      off_peak: true,
      movement_amplitude: 'small',
      payload: 'spy',
      Payload: 'spy',
      model: 'spy',
      Images: ['spy'],
      subjects: ['spy'],
      Duration: 99,
      callback_url: 'https://spy.example',
    };
    const { sent } = await submitted(videoParams({ metadata }, { model: 'viduq3-pro' }));
    expect(sent?.body).toMatchObject({ off_peak: true, movement_amplitude: 'small', payload: 'video_task1-1' });
    expect(JSON.stringify(sent?.body)).not.toMatch(/spy|99/);
    const unknown = await submitted(videoParams({ metadata }, { model: 'next' }));
    expect(JSON.stringify(unknown.sent?.body)).not.toMatch(/duration/i);
  });

  it('is not sent with images above the vendor’s limit', async () => {
    const large = { ...image('A', 'reference'), bytes: 8 * 1024 * 1024 };
    const images = [large, large];
    const { outcome, recorded } = await submitted(videoParams({}, { model: 'viduq2', images }));
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
    expect(recorded).toHaveLength(0);
  });
});

const refusal = (reason: string) => ({ code: 400, reason, message: 'why', metadata: {} });

describe('response', () => {
  it.each([
    [400, refusal('FieldLacking'), { kind: 'rejected', code: 'invalid_request', message: 'why' }],
    [400, refusal('ModelUnavailable'), { kind: 'rejected', code: 'invalid_request' }],
    [400, { reason: 'ImageFormatInvalid' }, { kind: 'rejected', message: 'ImageFormatInvalid' }],
    [400, {}, { kind: 'rejected', message: 'The upstream returned HTTP 400.' }],
    [400, refusal('AuditSubmitIllegal'), { kind: 'rejected', code: 'content_policy', message: 'why' }],
    [400, refusal('TaskPromptPolicyViolation'), { kind: 'rejected', code: 'content_policy' }],
    [400, refusal('CreationPolicyViolation'), { kind: 'rejected', code: 'content_policy' }],
    [400, refusal('CreditInsufficient'), { kind: 'account', code: 'provider_quota' }],
    [400, refusal('OperationInProcess'), { kind: 'busy', code: 'rate_limited' }],
    [429, refusal('QuotaExceeded'), { kind: 'busy', code: 'rate_limited' }],
    [429, refusal('TooManyRequests'), { kind: 'busy', code: 'rate_limited' }],
    [429, refusal('SystemThrottling'), { kind: 'busy', code: 'provider_error' }],
    [401, refusal('Unauthorized'), { kind: 'account', code: 'provider_auth' }],
    [403, refusal('Forbidden'), { kind: 'account', code: 'provider_auth' }],
    [409, refusal('Conflict'), { kind: 'unknown' }],
    [499, refusal('Canceled'), { kind: 'unknown' }],
    [500, refusal('InternalServiceFailure'), { kind: 'unknown' }],
    [502, refusal('CreditInsufficient'), { kind: 'unknown' }],
    [503, {}, { kind: 'busy' }],
  ])('HTTP %i %o', async (status, body, expected) => {
    const { outcome, recorded } = await submitted(videoParams({}), status, body);
    expect(outcome).toMatchObject(expected);
    expect(recorded).toHaveLength(1);
  });

  it.each([{}, { task_id: '' }, { task_id: 2 ** 53 }, { id: 'a' }, [], 'ok', refusal('FieldInvalid')])(
    'is unknown after a success without a usable id: %o',
    async (body) => {
      expect((await submitted(videoParams({}), 200, body)).outcome).toMatchObject({ kind: 'unknown' });
    },
  );

  it('pins a requested watermark', async () => {
    expect((await submitted(videoParams({ watermark: true }))).outcome).toMatchObject({ path: 'watermarked' });
    expect((await submitted(videoParams({ watermark: false }))).outcome).toHaveProperty('path', undefined);
    await using rig = mediaRig({ kind: 'vidu', base_url: 'http://vidu.test', api_key: MEDIA_KEY });
    const { model, request } = videoParams({ watermark: true });
    expect(rig.video.jobPath?.(model, request)).toBe('watermarked');
  });
});
