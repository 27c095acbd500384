import { expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

async function sent(params: ReturnType<typeof videoParams>) {
  await using vendor = await jsonVendor(() => ({ body: { task_id: '1', base_resp: { status_code: 0 } } }));
  await using rig = mediaRig({ kind: 'minimax', base_url: vendor.origin, api_key: MEDIA_KEY });
  const outcome = await rig.video.submit(params, NEVER);
  return { outcome, body: vendor.recorded[0]?.body, calls: vendor.recorded.length };
}

const A = 'data:image/png;base64,QQ==';
const B = 'data:image/png;base64,Qg==';

it('v1 has a field for each image', async () => {
  const images = [image('B', 'last_frame'), image('A')];
  const { body } = await sent(videoParams({ seconds: '10' }, { model: 'MiniMax-Hailuo-02', images }));
  expect(body).toEqual({
    model: 'MiniMax-Hailuo-02',
    prompt: 'a red kite',
    first_frame_image: A,
    last_frame_image: B,
    duration: 10,
  });
});

it.each(['reference', 'first_frame'] as const)('v1 accepts a subject as an image sent as %s', async (role) => {
  const { body } = await sent(videoParams({ prompt: '' }, { model: 'S2V-01', images: [image('A', role)] }));
  expect(body).toEqual({
    model: 'S2V-01',
    subject_reference: [{ type: 'character', image: [A] }],
    duration: 6,
  });
});

it('v2 sends the prompt and the images as content', async () => {
  const images = [image('A', 'reference'), image('B', 'reference')];
  const { body } = await sent(videoParams({ watermark: false }, { model: 'MiniMax-H3', images }));
  expect(body).toEqual({
    model: 'MiniMax-H3',
    content: [
      { type: 'text', text: 'a red kite' },
      { type: 'image_url', image_url: { url: A }, role: 'reference_image' },
      { type: 'image_url', image_url: { url: B }, role: 'reference_image' },
    ],
    duration: 5,
    resolution: '768P',
    aigc_watermark: false,
  });
});

it.each(['MiniMax-Hailuo-2.3', 'MiniMax-H3'])('%s accepts vendor options outside planned fields', async (model) => {
  const metadata = {
    fast_pretreatment: true,
    model: 'dear-model',
    prompt: 'spy',
    content: ['spy'],
    first_frame_image: 'spy',
    Duration: 99,
    resolution: 'spy',
    callback_url: 'https://spy.example',
  };
  const { body } = await sent(videoParams({ resolution: '768p', metadata }, { model }));
  expect(body).toMatchObject({ fast_pretreatment: true, model });
  const foreign = model === 'MiniMax-H3' ? ['prompt', 'first_frame_image'] : ['content'];
  for (const name of foreign) Reflect.deleteProperty(Object(body), name);
  expect(JSON.stringify(body)).not.toMatch(/spy|dear|99/);
});

it('no option sets the duration of an unknown model', async () => {
  const { body } = await sent(videoParams({ metadata: { duration: 10, Duration: 10 } }, { model: 'next' }));
  expect(JSON.stringify(body)).not.toMatch(/duration/i);
});

it.each([
  ['MiniMax-Hailuo-2.3', 21, 'at most 20 MB'],
  ['MiniMax-H3', 31, 'at most 30 MB'],
])('%s never gets an image of %i MB', async (model, megabytes, message) => {
  const images = [{ ...image('A'), bytes: megabytes * 1024 * 1024 }];
  const { outcome, calls } = await sent(videoParams({}, { model, images }));
  expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  expect([JSON.stringify(outcome).includes(message), calls]).toEqual([true, 0]);
});
