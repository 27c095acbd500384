import type { ImageRequest, OpenedImage } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { imageParams, jsonVendor, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

const params = (model: string, request: Partial<ImageRequest>, images: OpenedImage[] = []) =>
  imageParams(request, { model, images, submittedAt: 0 });

async function submitted(...args: Parameters<typeof params>) {
  await using vendor = await jsonVendor(() => ({ body: { code: 0, data: { task_id: '7712' } } }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
  const outcome = await rig.image.submit(params(...args), NEVER);
  return { outcome, recorded: vendor.recorded[0] };
}

const BASE64 = { a: Buffer.from('a').toString('base64'), b: Buffer.from('b').toString('base64') };
const [A, B] = [image('a', 'reference'), image('b', 'reference')];

describe('image submission', () => {
  it('sends the request', async () => {
    const { outcome, recorded } = await submitted('kling-v2.1', { n: 2, size: '1024x1024' });
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: '7712', path: '/v1/images/generations' });
    expect(recorded).toMatchObject({
      method: 'POST',
      url: '/v1/images/generations',
      body: {
        model_name: 'kling-v2-1',
        prompt: 'a red kite',
        n: 2,
        aspect_ratio: '1:1',
        external_task_id: 'image_task1-1',
      },
    });
  });

  it('sends an image as bare base64, with its use where required', async () => {
    expect((await submitted('kling-v2', {}, [A])).recorded?.body).toMatchObject({ image: BASE64.a });
    expect((await submitted('kling-v2', {}, [A])).recorded?.body).not.toHaveProperty('image_reference');
    expect((await submitted('kling-v1-5', {}, [A])).recorded?.body).toMatchObject({ image_reference: 'subject' });
    const metadata = { image_reference: 'face' };
    expect((await submitted('kling-v1-5', { metadata }, [A])).recorded?.body).toMatchObject({
      image_reference: 'face',
    });
  });

  it('sends several images where the model accepts them', async () => {
    expect((await submitted('kling-v2', {}, [A, B])).recorded).toMatchObject({
      url: '/v1/images/multi-image2image',
      body: { subject_image_list: [{ subject_image: BASE64.a }, { subject_image: BASE64.b }] },
    });
    expect((await submitted('kling-image-o1', {}, [A, B])).recorded).toMatchObject({
      url: '/v1/images/omni-image',
      body: { image_list: [{ image: BASE64.a }, { image: BASE64.b }] },
    });
  });

  it('sends vendor options, but no planned field and no callback', async () => {
    const metadata = { image_fidelity: 0.4, resolution: '2k', N: 9, prompt: 'x', image: 'x', callback_url: 'x' };
    expect((await submitted('kling-v2', { metadata })).recorded?.body).toEqual({
      image_fidelity: 0.4,
      resolution: '2k',
      model_name: 'kling-v2',
      prompt: 'a red kite',
      n: 1,
      external_task_id: 'image_task1-1',
    });
  });
});

it('returns every polled image in the vendor’s order', async () => {
  const images = [
    { index: 1, url: 'https://cdn.example/1.png' },
    { index: '0', url: 'https://cdn.example/0.png' },
  ];
  await using vendor = await jsonVendor(() => ({
    body: { code: 0, data: { task_status: 'succeed', task_result: { images } } },
  }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
  const job = mediaJob(vendor.origin, { path: '/v1/images/generations' });
  expect(await rig.image.poll(job, NEVER)).toEqual({
    kind: 'succeeded',
    outputs: [{ url: 'https://cdn.example/0.png' }, { url: 'https://cdn.example/1.png' }],
  });
  expect(vendor.recorded[0]?.url).toBe('/v1/images/generations/up_1');
});

it('looks up a lost image submission by its reference', async () => {
  await using vendor = await jsonVendor(() => ({ status: 404, body: { code: 1203 } }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
  expect(await rig.image.find?.(params('kling-v2', {}), NEVER)).toEqual({ kind: 'none' });
  expect(vendor.recorded[0]?.url).toBe('/v1/images/generations/image_task1-1');
});
