import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaRig, videoWish } from '../../test/media-rig.ts';
import { NEVER, picture } from '../../test/videos-rig.ts';

async function submitted(wish: ReturnType<typeof videoWish>, base = '') {
  await using vendor = await jsonVendor(() => ({ body: { code: 0, data: { task_id: '7712' } } }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin + base, api_key: 'key-1' });
  const outcome = await rig.video.submit(wish, NEVER);
  return { outcome, heard: vendor.heard[0] };
}

async function answered(body: unknown) {
  await using vendor = await jsonVendor(() => ({ body }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
  return await rig.video.submit(videoWish({}), NEVER);
}

const BASE64 = { a: Buffer.from('a').toString('base64'), b: Buffer.from('b').toString('base64') };

describe('a submission says', () => {
  it('the wish of text alone', async () => {
    const { outcome, heard } = await submitted(
      videoWish({ seconds: '10', aspectRatio: '9:16', negativePrompt: 'rain' }, { model: 'kling-v2.1-master' }),
    );
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: '7712', path: '/v1/videos/text2video', seconds: '10' });
    expect(heard).toMatchObject({ method: 'POST', url: '/v1/videos/text2video' });
    expect(heard?.headers['content-type']).toBe('application/json');
    expect(heard?.body).toEqual({
      model_name: 'kling-v2-1-master',
      prompt: 'a red kite',
      negative_prompt: 'rain',
      duration: '10',
      aspect_ratio: '9:16',
      external_task_id: 'video_task1-1',
    });
  });

  it('first and last frame as bare base64', async () => {
    const images = [picture('b', 'last_frame'), picture('a', 'first_frame')];
    const { outcome, heard } = await submitted(videoWish({}, { model: 'kling-v1-6', images }));
    expect(outcome).toMatchObject({ kind: 'accepted', path: '/v1/videos/image2video' });
    expect(heard?.url).toBe('/v1/videos/image2video');
    expect(heard?.body).toMatchObject({ image: BASE64.a, image_tail: BASE64.b, mode: 'pro' });
  });

  it('a lone last frame', async () => {
    const { heard } = await submitted(videoWish({}, { images: [picture('b', 'last_frame')] }));
    expect(heard?.body).toMatchObject({ image_tail: BASE64.b });
    expect(heard?.body).not.toHaveProperty('image');
  });

  it('references in a list', async () => {
    const images = [picture('a', 'reference'), picture('b', 'reference')];
    const { outcome, heard } = await submitted(videoWish({}, { model: 'kling-v1-6', images }));
    expect(outcome).toMatchObject({ path: '/v1/videos/multi-image2video' });
    expect(heard?.body).toMatchObject({ image_list: [{ image: BASE64.a }, { image: BASE64.b }] });
  });

  it('frames and references of an omni model in one list', async () => {
    const images = [picture('a', 'first_frame'), picture('b', 'reference')];
    const { outcome, heard } = await submitted(videoWish({}, { model: 'kling-video-o1', images }));
    expect(outcome).toMatchObject({ path: '/v1/videos/omni-video' });
    expect(heard?.body).toMatchObject({
      image_list: [{ image_url: BASE64.a, type: 'first_frame' }, { image_url: BASE64.b }],
    });
  });

  it('the vendor’s options beside what is decided, never in its place, and no callback', async () => {
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
    const { heard } = await submitted(videoWish({ metadata }, { model: 'kling-v1-6' }));
    expect(heard?.body).toEqual({
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

it('a job whose path was lost with the answer is found where its wish leads to', async () => {
  await using rig = mediaRig({ kind: 'provider-a', base_url: 'http://kling.test', api_key: 'key-1' });
  for (const images of [[], [picture('a')], [picture('a', 'reference')]]) {
    const wish = videoWish({}, { model: 'kling-v1-6', images });
    const { outcome } = await submitted(wish);
    expect(outcome).toMatchObject({ path: rig.video.jobPath?.(wish.model, wish.request) });
  }
  const { model, request } = videoWish({ prompt: '' });
  expect(rig.video.jobPath?.(model, request)).toBeUndefined();
});

it.each(['', '/', '/v1', '/v1/', '/kling'])('a base URL may end with %j', async (end) => {
  const { heard } = await submitted(videoWish({}), end);
  expect(heard?.url).toBe(`${end === '/kling' ? end : ''}/v1/videos/text2video`);
});

it('a picture beyond the vendor’s limit is refused before anything is sent', async () => {
  const images = [{ ...picture('a'), bytes: 10 * 1024 * 1024 + 1 }];
  const { outcome, heard } = await submitted(videoWish({}, { images }));
  expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  expect(heard).toBeUndefined();
});

describe('a success', () => {
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
  ])('without a usable id or code is unknown: %o', async (body) => {
    expect(await answered(body)).toMatchObject({ kind: 'unknown' });
  });

  it('takes a number for an id while it is exact', async () => {
    expect(await answered({ code: 0, data: { task_id: 7712 } })).toMatchObject({ upstreamId: '7712' });
  });
});

it('a refusal of our reference means that the vendor has its job, which is to be looked up', async () => {
  const refusal = { code: 1201, message: 'external_task_id is not unique in the account' };
  expect(await answered(refusal)).toMatchObject({ kind: 'unknown' });
});
