import { expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaRig, videoWish } from '../../test/media-rig.ts';
import { NEVER, picture } from '../../test/videos-rig.ts';

async function sent(wish: ReturnType<typeof videoWish>) {
  await using vendor = await jsonVendor(() => ({ body: { task_id: '1', base_resp: { status_code: 0 } } }));
  await using rig = mediaRig({ kind: 'minimax', base_url: vendor.origin, api_key: MEDIA_KEY });
  const outcome = await rig.video.submit(wish, NEVER);
  return { outcome, body: vendor.heard[0]?.body, calls: vendor.heard.length };
}

const A = 'data:image/png;base64,QQ==';
const B = 'data:image/png;base64,Qg==';

it('v1 has a field for each picture', async () => {
  const images = [picture('B', 'last_frame'), picture('A')];
  const { body } = await sent(videoWish({ seconds: '10' }, { model: 'MiniMax-Hailuo-02', images }));
  expect(body).toEqual({
    model: 'MiniMax-Hailuo-02',
    prompt: 'a red kite',
    first_frame_image: A,
    last_frame_image: B,
    duration: 10,
  });
});

it.each(['reference', 'first_frame'] as const)('v1 takes a subject from a picture sent as %s', async (role) => {
  const { body } = await sent(videoWish({ prompt: '' }, { model: 'S2V-01', images: [picture('A', role)] }));
  expect(body).toEqual({
    model: 'S2V-01',
    subject_reference: [{ type: 'character', image: [A] }],
    duration: 6,
  });
});

it('v2 takes the prompt and the pictures as content', async () => {
  const images = [picture('A', 'reference'), picture('B', 'reference')];
  const { body } = await sent(videoWish({ watermark: false }, { model: 'MiniMax-H3', images }));
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

it.each(['MiniMax-Hailuo-2.3', 'MiniMax-H3'])('%s takes vendor options that decide nothing', async (model) => {
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
  const { body } = await sent(videoWish({ resolution: '768p', metadata }, { model }));
  expect(body).toMatchObject({ fast_pretreatment: true, model });
  const foreign = model === 'MiniMax-H3' ? ['prompt', 'first_frame_image'] : ['content'];
  for (const name of foreign) Reflect.deleteProperty(Object(body), name);
  expect(JSON.stringify(body)).not.toMatch(/spy|dear|99/);
});

it('no option says how long the film of an unknown model is', async () => {
  const { body } = await sent(videoWish({ metadata: { duration: 10, Duration: 10 } }, { model: 'next' }));
  expect(JSON.stringify(body)).not.toMatch(/duration/i);
});

it.each([
  ['MiniMax-Hailuo-2.3', 21, 'at most 20 MB'],
  ['MiniMax-H3', 31, 'at most 30 MB'],
])('%s is not sent a picture of %i MB', async (model, megabytes, message) => {
  const images = [{ ...picture('A'), bytes: megabytes * 1024 * 1024 }];
  const { outcome, calls } = await sent(videoWish({}, { model, images }));
  expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  expect([JSON.stringify(outcome).includes(message), calls]).toEqual([true, 0]);
});
