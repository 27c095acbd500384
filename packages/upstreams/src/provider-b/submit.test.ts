import { describe, expect, it } from 'vitest';
import { imageParams, jsonVendor, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

const PAIR = { access_key: 'AKTEST', secret_key: 'SKTEST' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function submitted(params: ReturnType<typeof videoParams> | ReturnType<typeof imageParams>, response?: unknown) {
  await using vendor = await jsonVendor(() => ({
    body: response ?? { code: 10_000, data: { task_id: '7392616336519610409' } },
  }));
  await using rig = mediaRig({ kind: 'provider-b', base_url: vendor.origin, ...PAIR });
  const outcome =
    params.request.kind === 'video'
      ? await rig.video.submit({ ...params, request: params.request }, NEVER)
      : await rig.image.submit({ ...params, request: params.request }, NEVER);
  return { outcome, recorded: vendor.recorded[0], body: vendor.recorded[0]?.body };
}

describe('video submission', () => {
  it('sends a text-only request', async () => {
    const params = videoParams({ seconds: '10', aspectRatio: '9:16', seed: 7 }, { model: 'jimeng_t2v_v30' });
    const { outcome, recorded, body } = await submitted(params);
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: '7392616336519610409', seconds: '10' });
    expect(recorded).toMatchObject({ method: 'POST', url: '/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31' });
    expect(body).toEqual({
      req_key: 'jimeng_t2v_v30',
      prompt: 'a red kite',
      frames: 241,
      aspect_ratio: '9:16',
      seed: 7,
    });
  });

  it('sends images as bare base64, the first frame first', async () => {
    const images = [image('b', 'last_frame'), image('a', 'first_frame')];
    const { body } = await submitted(videoParams({}, { model: 'jimeng_i2v_first_tail_v30', images }));
    expect(body).toEqual({
      req_key: 'jimeng_i2v_first_tail_v30',
      prompt: 'a red kite',
      binary_data_base64: [base64('a'), base64('b')],
    });
  });

  it('sends vendor options, but no planned field and no callback', async () => {
    const decided = { req_key: 'x', prompt: 'x', frames: 1, seed: 1, image_urls: ['x'], Req_Json: 'x', task_id: 'x' };
    const metadata = { template_id: 'hitchcock_dolly_in', camera_strength: 'weak', callback_url: 'x', ...decided };
    const images = [image('a')];
    const { body } = await submitted(videoParams({ metadata }, { model: 'jimeng_i2v_recamera_v30', images }));
    expect(body).toEqual({
      template_id: 'hitchcock_dolly_in',
      camera_strength: 'weak',
      req_key: 'jimeng_i2v_recamera_v30',
      prompt: 'a red kite',
      binary_data_base64: [base64('a')],
    });
  });
});

describe('image submission', () => {
  it('sends the request and pins the poll options', async () => {
    const images = [image('a', 'reference'), image('b', 'reference')];
    const params = imageParams({ size: '2048x2048', watermark: true }, { model: 'jimeng_t2i_v40', images });
    const { outcome, body } = await submitted(params);
    expect(outcome).toEqual({
      kind: 'accepted',
      upstreamId: '7392616336519610409',
      path: '{"return_url":true,"logo_info":{"add_logo":true}}',
    });
    expect(body).toEqual({
      force_single: true,
      req_key: 'jimeng_t2i_v40',
      prompt: 'a red kite',
      width: 2048,
      height: 2048,
      binary_data_base64: [base64('a'), base64('b')],
    });
  });

  it.each([
    [{}, { force_single: true }],
    [{ n: 1 }, { force_single: true }],
    [{ n: 4 }, {}],
  ])('sends vendor options, except whether there is one image: %o requested', async (requested, single) => {
    const metadata = { scale: 0.7, force_single: false, prompt: 'x', width: 1, height: 1 };
    const { body } = await submitted(imageParams({ ...requested, metadata }, { model: 'jimeng_t2i_v40' }));
    expect(body).toEqual({ scale: 0.7, ...single, req_key: 'jimeng_t2i_v40', prompt: 'a red kite' });
  });
});

it.each([
  [videoParams({}, { model: 'jimeng_ti2v_v30_pro', images: [{ ...image('a'), bytes: 5_000_000 }] })],
  [imageParams({}, { model: 'jimeng_t2i_v40', images: [{ ...image('a', 'reference'), bytes: 16_000_000 }] })],
])('refuses an image above the vendor’s limit before it sends anything', async (params) => {
  const { outcome, recorded } = await submitted(params);
  expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  expect(recorded).toBeUndefined();
});

it.each([
  {},
  [],
  { code: 10_000 },
  { code: 10_000, data: null },
  { code: 10_000, data: { task_id: '' } },
  { code: 10_000, data: { task_id: 2 ** 53 } },
  { code: 0, data: { task_id: '7' } },
  { data: { task_id: '7' } },
])('is unknown after a success without a usable id or code: %o', async (response) => {
  expect((await submitted(videoParams({}), response)).outcome).toMatchObject({ kind: 'unknown' });
});
