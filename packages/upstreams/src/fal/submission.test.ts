import { describe, expect, it } from 'vitest';
import { imageWish, jsonVendor, MEDIA_KEY, mediaRig, videoWish } from '../../test/media-rig.ts';
import { NEVER, picture } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'fal', base_url: origin, api_key: MEDIA_KEY });
const MODEL = 'fal-ai/film/v2/text-to-video';

/** What a vendor hears of a submission. */
async function heardOf(submit: (rig: ReturnType<typeof mediaRig>) => Promise<unknown>) {
  await using vendor = await jsonVendor(() => ({ body: { request_id: 'up_1' } }));
  await using rig = mediaRig(account(vendor.origin));
  await submit(rig);
  const [heard] = vendor.heard;
  if (heard === undefined) throw new Error('nothing was sent');
  return heard;
}

const sized = (megabytes: number) => ({ ...picture('a', 'reference'), bytes: megabytes * 1024 * 1024 });
const uri = (text: string) => `data:image/png;base64,${Buffer.from(text).toString('base64')}`;

describe('a submission', () => {
  it('goes to the whole endpoint; vendor options add what the wish has not said', async () => {
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
    const wish = videoWish({ seconds: '5', seed: 7, metadata }, { model: MODEL });
    const { method, url, headers, body } = await heardOf(({ video }) => video.submit(wish, NEVER));
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

  it('is as long as the wish says, never as an option says; frames count where there are no seconds', async () => {
    const metadata = { duration: '10', duration_seconds: 10, numSeconds: 10, num_frames: 161 };
    const model = 'fal-ai/wan/v2.2-a14b/text-to-video';
    const { body } = await heardOf(({ video }) =>
      video.submit(videoWish({ seconds: '5', metadata }, { model }), NEVER),
    );
    expect(body).toEqual({ prompt: 'a red kite', num_frames: 161 });
    const unsaid = videoWish({ metadata }, { model: MODEL });
    expect((await heardOf(({ video }) => video.submit(unsaid, NEVER))).body).toEqual(body);
  });

  it.each([
    ['fal-ai/film', ['image_url', 'end_image_url', 'image_urls']],
    ['fal-ai/kling-video/v1.6/pro/image-to-video', ['image_url', 'tail_image_url', 'image_urls']],
    ['fal-ai/kling-video/v2.6/pro/image-to-video', ['start_image_url', 'end_image_url', 'image_urls']],
    ['fal-ai/kling-video/o3/pro/image-to-video', ['image_url', 'end_image_url', 'image_urls']],
    ['fal-ai/kling-video/v1.6/pro/elements', ['image_url', 'tail_image_url', 'input_image_urls']],
    ['fal-ai/pixverse/v5/transition', ['first_image_url', 'end_image_url', 'image_urls']],
    ['fal-ai/veo3.1/first-last-frame-to-video', ['first_frame_url', 'last_frame_url', 'image_urls']],
    ['fal-ai/vidu/start-end-to-video', ['start_image_url', 'end_image_url', 'reference_image_urls']],
    ['fal-ai/vidu/q1/reference-to-video', ['image_url', 'end_image_url', 'reference_image_urls']],
  ])('to %s names frames and references %j, whatever the options say', async (model, [first, last, references]) => {
    const images = [picture('z', 'last_frame'), picture('r1', 'reference'), picture('a'), picture('r2', 'reference')];
    const metadata = { [String(first)]: 'https://client.example/a.png' };
    const { body } = await heardOf(({ video }) => video.submit(videoWish({ metadata }, { images, model }), NEVER));
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
    const images = texts.map((text) => picture(text, 'reference'));
    const { url, body } = await heardOf(({ image }) => image.submit(imageWish({}, { images, model }), NEVER));
    expect(url).toBe(`/${model}`);
    expect(body).toEqual({ prompt: 'a red kite', ...named });
  });

  it('with pictures beyond what goes inline is never sent', async () => {
    await using vendor = await jsonVendor(() => ({ body: { request_id: 'up_1' } }));
    await using rig = mediaRig(account(vendor.origin));
    for (const images of [[sized(31)], [sized(25), sized(25)]]) {
      for (const outcome of [
        await rig.video.submit(videoWish({}, { images, model: MODEL }), NEVER),
        await rig.image.submit(imageWish({}, { images, model: MODEL }), NEVER),
      ]) {
        expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
      }
    }
    expect(vendor.heard).toEqual([]);
  });

  it('of images is told a size and a number by the wish alone', async () => {
    const metadata = {
      image_size: 'square',
      imageSize: 'square',
      num_images: 4,
      aspect_ratio: '1:1',
      guidance_scale: 2,
    };
    const wish = imageWish({ size: '1024x768', n: 2, metadata }, { model: 'fal-ai/flux/dev' });
    const { body } = await heardOf(({ image }) => image.submit(wish, NEVER));
    expect(body).toEqual({
      prompt: 'a red kite',
      image_size: { width: 1024, height: 768 },
      aspect_ratio: '4:3',
      num_images: 2,
      guidance_scale: 2,
    });
    const unsaid = imageWish({ metadata }, { model: 'fal-ai/flux/dev' });
    expect((await heardOf(({ image }) => image.submit(unsaid, NEVER))).body).toEqual({
      prompt: 'a red kite',
      image_size: 'square',
      imageSize: 'square',
      aspect_ratio: '1:1',
      guidance_scale: 2,
    });
  });

  it('of images names the mask', async () => {
    const images = [picture('one', 'reference'), picture('where', 'mask')];
    const at = async (model: string) =>
      (await heardOf(({ image }) => image.submit(imageWish({}, { images, model }), NEVER))).body;
    expect(await at('fal-ai/flux-pro/v1/fill')).toMatchObject({ image_url: uri('one'), mask_url: uri('where') });
    expect(await at('fal-ai/gpt-image-1/edit-image')).toMatchObject({ mask_image_url: uri('where') });
  });

  it('that is accepted pins where it can be asked for', async () => {
    await using vendor = await jsonVendor(() => ({ body: { request_id: 'r-1', status_url: 'http://10.0.0.1/x' } }));
    await using rig = mediaRig(account(vendor.origin));
    expect(await rig.video.submit(videoWish({ seconds: '5' }, { model: MODEL }), NEVER)).toEqual({
      kind: 'accepted',
      upstreamId: 'r-1',
      path: 'fal-ai/film',
      seconds: '5',
    });
  });
});
