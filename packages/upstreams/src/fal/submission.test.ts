import { describe, expect, it } from 'vitest';
import { imageParams, jsonVendor, MEDIA_KEY, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image as imageInput } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'fal', base_url: origin, api_key: MEDIA_KEY });
const MODEL = 'fal-ai/clip/v2/text-to-video';

/** Returns the request that a submission sends. */
async function recordedOf(submit: (rig: ReturnType<typeof mediaRig>) => Promise<unknown>) {
  await using vendor = await jsonVendor(() => ({ body: { request_id: 'up_1' } }));
  await using rig = mediaRig(account(vendor.origin));
  await submit(rig);
  const [recorded] = vendor.recorded;
  if (recorded === undefined) throw new Error('nothing was sent');
  return recorded;
}

const sized = (megabytes: number) => ({ ...imageInput('a', 'reference'), bytes: megabytes * 1024 * 1024 });
const uri = (text: string) => `data:image/png;base64,${Buffer.from(text).toString('base64')}`;

describe('submission', () => {
  it('is sent to the full endpoint; vendor options add to the request', async () => {
    const metadata = {
      cfg_scale: 0.5,
      duration: '10',
      Video_Length: 30,
      num_frames: 720,
      num_images: 4,
      prompt: 'x',
      sync_mode: true,
      fal_webhook: 'https://client.example/',
      image_url: 'https://client.example/a.png',
    };
    const params = videoParams({ seconds: '5', seed: 7, metadata }, { model: MODEL });
    const { method, url, headers, body } = await recordedOf(({ video }) => video.submit(params, NEVER));
    expect([method, url]).toEqual(['POST', `/${MODEL}`]);
    expect(headers).toMatchObject({ authorization: `Key ${MEDIA_KEY}` });
    expect(body).toEqual({
      duration: '5',
      seed: 7,
      cfg_scale: 0.5,
      image_url: 'https://client.example/a.png',
      prompt: 'a red kite',
    });
  });

  it('uses the duration of the request, never of options; frame counts apply without seconds', async () => {
    const metadata = { duration: '10', duration_seconds: 10, numSeconds: 10, num_frames: 161 };
    const model = 'fal-ai/wan/v2.2-a14b/text-to-video';
    const { body } = await recordedOf(({ video }) =>
      video.submit(videoParams({ seconds: '5', metadata }, { model }), NEVER),
    );
    expect(body).toEqual({ prompt: 'a red kite', num_frames: 161 });
    const unsaid = videoParams({ metadata }, { model: MODEL });
    expect((await recordedOf(({ video }) => video.submit(unsaid, NEVER))).body).toEqual(body);
  });

  it.each([
    ['fal-ai/clip', ['image_url', 'end_image_url', 'image_urls']],
    ['fal-ai/kling-video/v1.6/pro/image-to-video', ['image_url', 'tail_image_url', 'image_urls']],
    ['fal-ai/kling-video/v2.6/pro/image-to-video', ['start_image_url', 'end_image_url', 'image_urls']],
    ['fal-ai/kling-video/o3/pro/image-to-video', ['image_url', 'end_image_url', 'image_urls']],
    ['fal-ai/kling-video/v1.6/pro/elements', ['image_url', 'tail_image_url', 'input_image_urls']],
    ['fal-ai/pixverse/v5/transition', ['first_image_url', 'end_image_url', 'image_urls']],
    ['fal-ai/veo3.1/first-last-frame-to-video', ['first_frame_url', 'last_frame_url', 'image_urls']],
    ['fal-ai/vidu/start-end-to-video', ['start_image_url', 'end_image_url', 'reference_image_urls']],
    ['fal-ai/vidu/q1/reference-to-video', ['image_url', 'end_image_url', 'reference_image_urls']],
  ])('to %s names frames and references %j, whatever the options are', async (model, [first, last, references]) => {
    const images = [
      imageInput('z', 'last_frame'),
      imageInput('r1', 'reference'),
      imageInput('a'),
      imageInput('r2', 'reference'),
    ];
    const metadata = { [String(first)]: 'https://client.example/a.png' };
    const { body } = await recordedOf(({ video }) => video.submit(videoParams({ metadata }, { images, model }), NEVER));
    expect(body).toEqual({
      prompt: 'a red kite',
      [String(first)]: uri('a'),
      [String(last)]: uri('z'),
      [String(references)]: [uri('r1'), uri('r2')],
    });
  });

  it.each([
    ['fal-ai/flux/dev/image-to-image', ['one'], { image_url: uri('one') }],
    ['fal-ai/flux/dev/image-to-image', ['one', 'two'], { image_urls: [uri('one'), uri('two')] }],
    ['fal-ai/nano-banana/edit', ['one'], { image_urls: [uri('one')] }],
    ['fal-ai/gemini-flash-edit', ['one'], { image_url: uri('one') }],
    ['fal-ai/qwen-image-edit-2511', ['one'], { image_urls: [uri('one')] }],
    ['fal-ai/qwen-image-edit', ['one'], { image_url: uri('one') }],
    ['fal-ai/bytedance/seedream/v4/edit', ['one'], { image_urls: [uri('one')] }],
  ])('of images to %s with %j', async (model, texts, named) => {
    const images = texts.map((text) => imageInput(text, 'reference'));
    const { url, body } = await recordedOf(({ image }) => image.submit(imageParams({}, { images, model }), NEVER));
    expect(url).toBe(`/${model}`);
    expect(body).toEqual({ prompt: 'a red kite', ...named });
  });

  it('is never sent with images above the inline limit', async () => {
    await using vendor = await jsonVendor(() => ({ body: { request_id: 'up_1' } }));
    await using rig = mediaRig(account(vendor.origin));
    for (const images of [[sized(31)], [sized(25), sized(25)]]) {
      for (const outcome of [
        await rig.video.submit(videoParams({}, { images, model: MODEL }), NEVER),
        await rig.image.submit(imageParams({}, { images, model: MODEL }), NEVER),
      ]) {
        expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
      }
    }
    expect(vendor.recorded).toEqual([]);
  });

  it('uses the size and the number of images of the request only', async () => {
    const metadata = {
      image_size: 'square',
      imageSize: 'square',
      num_images: 4,
      aspect_ratio: '1:1',
      guidance_scale: 2,
    };
    const params = imageParams({ size: '1024x768', n: 2, metadata }, { model: 'fal-ai/flux/dev' });
    const { body } = await recordedOf(({ image }) => image.submit(params, NEVER));
    expect(body).toEqual({
      prompt: 'a red kite',
      image_size: { width: 1024, height: 768 },
      aspect_ratio: '4:3',
      num_images: 2,
      guidance_scale: 2,
    });
    const unsaid = imageParams({ metadata }, { model: 'fal-ai/flux/dev' });
    expect((await recordedOf(({ image }) => image.submit(unsaid, NEVER))).body).toEqual({
      prompt: 'a red kite',
      image_size: 'square',
      imageSize: 'square',
      aspect_ratio: '1:1',
      guidance_scale: 2,
    });
  });

  it('names the mask of an image edit', async () => {
    const images = [imageInput('one', 'reference'), imageInput('where', 'mask')];
    const at = async (model: string) =>
      (await recordedOf(({ image }) => image.submit(imageParams({}, { images, model }), NEVER))).body;
    expect(await at('fal-ai/flux-pro/v1/fill')).toMatchObject({ image_url: uri('one'), mask_url: uri('where') });
    expect(await at('fal-ai/gpt-image-1/edit-image')).toMatchObject({ mask_image_url: uri('where') });
  });

  it('pins the poll path when accepted', async () => {
    await using vendor = await jsonVendor(() => ({ body: { request_id: 'r-1', status_url: 'http://10.0.0.1/x' } }));
    await using rig = mediaRig(account(vendor.origin));
    expect(await rig.video.submit(videoParams({ seconds: '5' }, { model: MODEL }), NEVER)).toEqual({
      kind: 'accepted',
      upstreamId: 'r-1',
      path: 'fal-ai/clip',
      seconds: '5',
    });
  });
});
