import { describe, expect, it } from 'vitest';
import { imageParams, jsonVendor, MEDIA_KEY, mediaJob, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image as imageInput } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'replicate', base_url: `${origin}/v1`, api_key: MEDIA_KEY });
const MODEL = 'me/clip';
const HASH = 'a1'.repeat(32);

/** Returns the request that a submission sends. */
async function recordedOf(submit: (rig: ReturnType<typeof mediaRig>) => Promise<unknown>) {
  await using vendor = await jsonVendor(() => ({ status: 201, body: { id: 'up_1', status: 'starting' } }));
  await using rig = mediaRig(account(vendor.origin));
  await submit(rig);
  const [recorded] = vendor.recorded;
  if (recorded === undefined) throw new Error('nothing was sent');
  return recorded;
}

const uri = (text: string) => `data:image/png;base64,${Buffer.from(text).toString('base64')}`;

describe('submission', () => {
  it('sends the model’s input; vendor options add to it', async () => {
    const metadata = { guidance: 3, duration: 10, prompt: 'x', webhook: 'https://client.example/', version: 'mine' };
    const params = videoParams({ seconds: '5', seed: 7, metadata }, { model: MODEL });
    const { method, url, headers, body } = await recordedOf(({ video }) => video.submit(params, NEVER));
    expect([method, url]).toEqual(['POST', '/v1/models/me/clip/predictions']);
    expect(headers).toMatchObject({ authorization: `Bearer ${MEDIA_KEY}` });
    expect(headers).not.toHaveProperty('prefer');
    expect(body).toEqual({ input: { duration: 5, seed: 7, guidance: 3, version: 'mine', prompt: 'a red kite' } });
  });

  it.each([`me/clip:${HASH}`, HASH])('names version %s beside the input', async (model) => {
    const { url, body } = await recordedOf(({ video }) => video.submit(videoParams({}, { model }), NEVER));
    expect(url).toBe('/v1/predictions');
    expect(body).toEqual({ version: HASH, input: { prompt: 'a red kite' } });
  });

  it.each([
    ['me/clip', 'image', 'last_frame_image'],
    ['kwaivgi/kling-v2.1', 'start_image', 'end_image'],
    ['kwaivgi/kling-v2.6', 'start_image', 'end_image'],
    ['luma/ray-2-720p', 'start_image', 'end_image'],
    ['minimax/hailuo-02', 'first_frame_image', 'last_frame_image'],
    ['bytedance/seedance-1-pro', 'image', 'last_frame_image'],
    ['google/veo-3.1', 'image', 'last_frame'],
    ['wan-video/wan-2.2-i2v-fast', 'image', 'last_image'],
  ])('to %s names frames %s and %s, whatever the options are', async (model, first, last) => {
    const images = [imageInput('z', 'last_frame'), imageInput('a')];
    const metadata = { [first]: 'https://client.example/a.png' };
    const { body } = await recordedOf(({ video }) => video.submit(videoParams({ metadata }, { images, model }), NEVER));
    expect(body).toMatchObject({ input: { prompt: 'a red kite', [first]: uri('a'), [last]: uri('z') } });
  });

  it.each(['me/clip', 'google/veo-3.1', 'bytedance/seedance-2.0'])('to %s lists references in order', async (model) => {
    const images = [imageInput('b', 'reference'), imageInput('a', 'reference')];
    const { body } = await recordedOf(({ video }) => video.submit(videoParams({}, { images, model }), NEVER));
    expect(body).toMatchObject({ input: { reference_images: [uri('b'), uri('a')] } });
  });

  it.each([
    ['stability-ai/sdxl', ['one'], { image: uri('one') }],
    ['stability-ai/sdxl', ['one', 'two'], { image_input: [uri('one'), uri('two')] }],
    ['google/nano-banana', ['one'], { image_input: [uri('one')] }],
    ['openai/gpt-image-1', ['one'], { input_images: [uri('one')] }],
    ['black-forest-labs/flux-2-pro', ['one'], { input_images: [uri('one')] }],
    ['black-forest-labs/flux-kontext-pro', ['one'], { input_image: uri('one') }],
    ['black-forest-labs/flux-1.1-pro', ['one'], { image_prompt: uri('one') }],
    ['qwen/qwen-image-edit-plus', ['one'], { image: [uri('one')] }],
  ])('of images to %s with %j', async (model, texts, named) => {
    const images = texts.map((text) => imageInput(text, 'reference'));
    const { body } = await recordedOf(({ image }) => image.submit(imageParams({}, { images, model }), NEVER));
    expect(body).toEqual({ input: { prompt: 'a red kite', ...named } });
  });

  it('of an edit names the image field', async () => {
    const images = [imageInput('where', 'mask'), imageInput('one', 'reference')];
    const { body } = await recordedOf(({ image }) =>
      image.submit(imageParams({}, { images, model: 'me/image' }), NEVER),
    );
    expect(body).toEqual({ input: { prompt: 'a red kite', image: uri('one'), mask: uri('where') } });
  });

  it('is accepted even though the response repeats the images', async () => {
    const input = { image: 'a'.repeat(13_500_000) };
    await using vendor = await jsonVendor(() => ({ body: { id: 'p1', status: 'starting', input } }));
    await using rig = mediaRig(account(vendor.origin));
    expect(await rig.video.submit(videoParams({}, { model: MODEL }), NEVER)).toMatchObject({ kind: 'accepted' });
    expect(await rig.video.poll(mediaJob(`${vendor.origin}/v1`), NEVER)).toMatchObject({ kind: 'running' });
  });

  it('is never sent with images above the inline limit', async () => {
    await using vendor = await jsonVendor(() => ({ body: { id: 'up_1' } }));
    await using rig = mediaRig(account(vendor.origin));
    const bytes = 5_000_000;
    const images = [
      { ...imageInput('a'), bytes },
      { ...imageInput('z', 'last_frame'), bytes },
    ];
    const outcome = await rig.video.submit(videoParams({}, { images, model: MODEL }), NEVER);
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
    expect(vendor.recorded).toEqual([]);
  });

  it.each([
    [422, { detail: '- input.duration: must be one of the following: 5, 10\n', title: 'Input validation failed' }],
    [404, { title: 'must be one' }],
  ])('refused with HTTP %i returns the reason', async (status, body) => {
    await using vendor = await jsonVendor(() => ({ status, body }));
    await using rig = mediaRig(account(vendor.origin));
    const outcome = await rig.video.submit(videoParams({}, { model: MODEL }), NEVER);
    expect(outcome).toMatchObject({ kind: 'rejected', message: expect.stringContaining('must be one') });
  });

  it.each([
    ['Request was throttled. Your rate limit resets in ~30s.', 30_000],
    ['Request was throttled. Expected available in 1 second.', 1000],
    ['Request was throttled.', undefined],
  ])('throttled returns the delay: %s', async (detail, retryAfterMs) => {
    await using vendor = await jsonVendor(() => ({ status: 429, body: { detail } }));
    await using rig = mediaRig(account(vendor.origin));
    const outcome = await rig.video.submit(videoParams({}, { model: MODEL }), NEVER);
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    expect(outcome).toEqual({ kind: 'busy', code: 'rate_limited', message: expect.any(String), ...wait });
  });

  it.each([{}, { id: '' }, { id: 2 ** 53 }, { id: 'a b' }, { status: 'starting' }, [], 'ok'])(
    'with the response %j may have been accepted',
    async (body) => {
      await using vendor = await jsonVendor(() => ({ status: 201, body }));
      await using rig = mediaRig(account(vendor.origin));
      expect(await rig.video.submit(videoParams({}, { model: MODEL }), NEVER)).toMatchObject({ kind: 'unknown' });
    },
  );

  it('reports the duration when accepted', async () => {
    await using vendor = await jsonVendor(() => ({ status: 201, body: { id: 'p1', status: 'starting' } }));
    await using rig = mediaRig(account(vendor.origin));
    expect(await rig.video.submit(videoParams({ seconds: '5' }, { model: MODEL }), NEVER)).toEqual({
      kind: 'accepted',
      upstreamId: 'p1',
      seconds: '5',
    });
  });
});
