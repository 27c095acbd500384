import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

const SYNTHESIS = '/api/v1/services/aigc/video-generation/video-synthesis';

async function submitted(params: ReturnType<typeof videoParams>, base = '') {
  const body = { output: { task_id: '0385dc79', task_status: 'PENDING' }, request_id: 'a' };
  await using vendor = await jsonVendor(() => ({ body }));
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin + base, api_key: 'key-1' });
  const outcome = await rig.video.submit(params, NEVER);
  return { outcome, recorded: vendor.recorded[0], body: vendor.recorded[0]?.body };
}

const dataUrl = (text: string): string => `data:image/png;base64,${Buffer.from(text).toString('base64')}`;
const [FIRST, LAST] = [image('a', 'first_frame'), image('b', 'last_frame')];
const [A, B] = [image('a', 'reference'), image('b', 'reference')];

describe('submission', () => {
  it('sends a text-only request as a task', async () => {
    const params = videoParams(
      { seconds: '10', size: '1280x720', negativePrompt: 'rain', seed: 7, watermark: false },
      { model: 'wan2.6-t2v' },
    );
    const { outcome, recorded } = await submitted(params);
    expect(outcome).toEqual({ kind: 'accepted', upstreamId: '0385dc79', seconds: '10' });
    expect(recorded).toMatchObject({ method: 'POST', url: SYNTHESIS });
    expect(recorded?.headers).toMatchObject({ authorization: 'Bearer key-1', 'x-dashscope-async': 'enable' });
    expect(recorded?.body).toEqual({
      model: 'wan2.6-t2v',
      input: { prompt: 'a red kite', negative_prompt: 'rain' },
      parameters: { size: '1280*720', duration: 10, seed: 7, watermark: false },
    });
  });

  it.each([
    ['wan2.6-i2v', [FIRST], { img_url: dataUrl('a') }, SYNTHESIS],
    [
      'wan2.2-kf2v-flash',
      [LAST, FIRST],
      { first_frame_url: dataUrl('a'), last_frame_url: dataUrl('b') },
      '/api/v1/services/aigc/image2video/video-synthesis',
    ],
    ['wan2.6-r2v', [A, B], { reference_urls: [dataUrl('a'), dataUrl('b')] }, SYNTHESIS],
    ['wan2.6-r2v', [FIRST], { reference_urls: [dataUrl('a')] }, SYNTHESIS],
    [
      'wan2.7-i2v',
      [FIRST, LAST],
      {
        media: [
          { type: 'first_frame', url: dataUrl('a') },
          { type: 'last_frame', url: dataUrl('b') },
        ],
      },
      SYNTHESIS,
    ],
    ['wan2.7-r2v', [FIRST], { media: [{ type: 'reference_image', url: dataUrl('a') }] }, SYNTHESIS],
    ['wan3.0-video', [B], { media: [{ type: 'reference_image', url: dataUrl('b') }] }, SYNTHESIS],
  ])('sends images as %s expects them', async (model, images, input, path) => {
    const { recorded } = await submitted(videoParams({}, { model, images }));
    expect(recorded?.url).toBe(path);
    expect(recorded?.body).toMatchObject({ input: { prompt: 'a red kite', ...input } });
  });

  it('sends vendor options, but no planned field and no callback', async () => {
    const metadata = {
      shot_type: 'multi',
      audio_url: 'https://client.example/a.mp3',
      model: 'x',
      prompt: 'x',
      duration: 60,
      img_url: 'x',
      callback_url: 'x',
      input: { template: 'squish', prompt: 'x', first_frame_url: 'x' },
      parameters: { prompt_extend: false, seed: 1, size: '1*1' },
    };
    const { body } = await submitted(videoParams({ metadata, size: '1280x720' }, { model: 'wan2.6-t2v' }));
    expect(body).toEqual({
      model: 'wan2.6-t2v',
      input: { prompt: 'a red kite', audio_url: 'https://client.example/a.mp3', template: 'squish' },
      parameters: { shot_type: 'multi', prompt_extend: false, size: '1280*720' },
    });
  });

  it('appends media from the options to its own', async () => {
    const voice = { type: 'driving_audio', url: 'https://client.example/a.mp3' };
    const params = videoParams({ metadata: { media: [voice] } }, { model: 'wan2.7-i2v', images: [FIRST] });
    expect((await submitted(params)).body).toMatchObject({
      input: { media: [{ type: 'first_frame', url: dataUrl('a') }, voice] },
    });
    const clip = 'https://client.example/a.mp4';
    const other = videoParams({ metadata: { reference_urls: [clip] } }, { model: 'wan2.6-r2v', images: [A] });
    expect((await submitted(other)).body).toMatchObject({ input: { reference_urls: [dataUrl('a'), clip] } });
  });
});

it.each(['', '/', '/api/v1', '/api/v1/'])('accepts a base URL that ends with %j', async (end) => {
  expect((await submitted(videoParams({}, { model: 'wan2.6-t2v' }), end)).recorded?.url).toBe(SYNTHESIS);
});

it.each([
  ['wan2.6-i2v', 11],
  ['wan2.7-i2v', 21],
])('refuses an image above the limit of %s before it sends anything', async (model, megabytes) => {
  const images = [{ ...FIRST, bytes: megabytes * 1024 * 1024 }];
  const { outcome, recorded } = await submitted(videoParams({}, { model, images }));
  expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  expect(recorded).toBeUndefined();
});

it.each([
  {},
  [],
  { output: {} },
  { output: null },
  { output: { task_id: '' } },
  { output: { task_id: 2 ** 53 } },
  { task_id: 'up_9' },
])('is unknown after a success without a usable id: %o', async (body) => {
  await using vendor = await jsonVendor(() => ({ body }));
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin, api_key: 'key-1' });
  expect(await rig.video.submit(videoParams({}, { model: 'wan2.6-t2v' }), NEVER)).toMatchObject({ kind: 'unknown' });
});
