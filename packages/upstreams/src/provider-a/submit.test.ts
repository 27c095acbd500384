import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

async function submitted(params: ReturnType<typeof videoParams>, base = '') {
  await using vendor = await jsonVendor(() => ({ body: { code: 0, data: { task_id: '7712' } } }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin + base, api_key: 'key-1' });
  const outcome = await rig.video.submit(params, NEVER);
  return { outcome, recorded: vendor.recorded[0] };
}

async function outcomeFor(body: unknown) {
  await using vendor = await jsonVendor(() => ({ body }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
  return await rig.video.submit(videoParams({}), NEVER);
}

const BASE64 = { a: Buffer.from('a').toString('base64'), b: Buffer.from('b').toString('base64') };

describe('submission', () => {
  it('sends a text-only request', async () => {
    const { outcome, recorded } = await submitted(
      videoParams({ seconds: '10', aspectRatio: '9:16', negativePrompt: 'rain' }, { model: 'kling-v2.1-master' }),
    );
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: '7712', path: '/v1/videos/text2video', seconds: '10' });
    expect(recorded).toMatchObject({ method: 'POST', url: '/v1/videos/text2video' });
    expect(recorded?.headers['content-type']).toBe('application/json');
    expect(recorded?.body).toEqual({
      model_name: 'kling-v2-1-master',
      prompt: 'a red kite',
      negative_prompt: 'rain',
      duration: '10',
      aspect_ratio: '9:16',
      external_task_id: 'video_task1-1',
    });
  });

  it('sends first and last frames as bare base64', async () => {
    const images = [image('b', 'last_frame'), image('a', 'first_frame')];
    const { outcome, recorded } = await submitted(videoParams({}, { model: 'kling-v1-6', images }));
    expect(outcome).toMatchObject({ kind: 'accepted', path: '/v1/videos/image2video' });
    expect(recorded?.url).toBe('/v1/videos/image2video');
    expect(recorded?.body).toMatchObject({ image: BASE64.a, image_tail: BASE64.b, mode: 'pro' });
  });

  it('sends a single last frame', async () => {
    const { recorded } = await submitted(videoParams({}, { images: [image('b', 'last_frame')] }));
    expect(recorded?.body).toMatchObject({ image_tail: BASE64.b });
    expect(recorded?.body).not.toHaveProperty('image');
  });

  it('sends references as a list', async () => {
    const images = [image('a', 'reference'), image('b', 'reference')];
    const { outcome, recorded } = await submitted(videoParams({}, { model: 'kling-v1-6', images }));
    expect(outcome).toMatchObject({ path: '/v1/videos/multi-image2video' });
    expect(recorded?.body).toMatchObject({ image_list: [{ image: BASE64.a }, { image: BASE64.b }] });
  });

  it('sends frames and references of an omni model as one list', async () => {
    const images = [image('a', 'first_frame'), image('b', 'reference')];
    const { outcome, recorded } = await submitted(videoParams({}, { model: 'kling-video-o1', images }));
    expect(outcome).toMatchObject({ path: '/v1/videos/omni-video' });
    expect(recorded?.body).toMatchObject({
      image_list: [{ image_url: BASE64.a, type: 'first_frame' }, { image_url: BASE64.b }],
    });
  });

  it('adds vendor options without replacing planned fields, and no callback', async () => {
    const metadata = {
      camera_control: { type: 'down_back' },
      cfg_scale: 0.7,
      mode: 'pro',
      dynamic_masks: [],
      model_name: 'kling-v9',
      Model: 'kling-v9',
      prompt: 'other',
      duration: '60',
      image: 'https://client.example/b.png',
      external_task_id: 'theirs',
      callback_url: 'https://client.example/hook',
    };
    const { recorded } = await submitted(videoParams({ metadata }, { model: 'kling-v1-6' }));
    expect(recorded?.body).toEqual({
      camera_control: { type: 'down_back' },
      cfg_scale: 0.7,
      mode: 'pro',
      dynamic_masks: [],
      model_name: 'kling-v1-6',
      prompt: 'a red kite',
      external_task_id: 'video_task1-1',
    });
  });
});

it('looks up a job of unknown path under the request’s path', async () => {
  await using rig = mediaRig({ kind: 'provider-a', base_url: 'http://kling.test', api_key: 'key-1' });
  for (const images of [[], [image('a')], [image('a', 'reference')]]) {
    const params = videoParams({}, { model: 'kling-v1-6', images });
    const { outcome } = await submitted(params);
    expect(outcome).toMatchObject({ path: rig.video.jobPath?.(params.model, params.request) });
  }
  const { model, request } = videoParams({ prompt: '' });
  expect(rig.video.jobPath?.(model, request)).toBeUndefined();
});

it.each(['', '/', '/v1', '/v1/', '/kling'])('accepts a base URL that ends with %j', async (end) => {
  const { recorded } = await submitted(videoParams({}), end);
  expect(recorded?.url).toBe(`${end === '/kling' ? end : ''}/v1/videos/text2video`);
});

it('refuses an image above the vendor’s limit before it sends anything', async () => {
  const images = [{ ...image('a'), bytes: 10 * 1024 * 1024 + 1 }];
  const { outcome, recorded } = await submitted(videoParams({}, { images }));
  expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  expect(recorded).toBeUndefined();
});

describe('success', () => {
  it.each([
    {},
    { code: 0 },
    { code: 0, data: null },
    { code: 0, data: {} },
    { code: 0, data: { task_id: '' } },
    { code: 0, data: { task_id: '..' } },
    { code: 0, data: { task_id: 2 ** 53 } },
    { data: { task_id: '7' } },
    { code: 'SUCCESS', data: { task_id: '7' } },
    [],
  ])('is unknown without a usable id or code: %o', async (body) => {
    expect(await outcomeFor(body)).toMatchObject({ kind: 'unknown' });
  });

  it('accepts a number as an id while it is exact', async () => {
    expect(await outcomeFor({ code: 0, data: { task_id: 7712 } })).toMatchObject({ upstreamId: '7712' });
  });
});

it('reports unknown when the reference is taken, because the vendor already has the job', async () => {
  const refusal = { code: 1201, message: 'external_task_id is not unique in the account' };
  expect(await outcomeFor(refusal)).toMatchObject({ kind: 'unknown' });
});
