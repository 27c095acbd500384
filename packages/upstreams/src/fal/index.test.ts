import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import {
  answeredAlike,
  imageWish,
  type JsonAnswer,
  jsonVendor,
  MEDIA_KEY,
  mediaJob,
  mediaRig,
  mediaStage,
  videoWish,
} from '../../test/media-rig.ts';
import { describeImageContract, describeVideoContract, type VendorMood } from '../../test/video-contract.ts';
import { NEVER, picture } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'fal', base_url: origin, api_key: MEDIA_KEY });
const MODEL = 'fal-ai/film/v2/text-to-video';

/** Spells a mood as fal's queue does. */
function answer(mood: VendorMood, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (answeredAlike(mood, request, response)) return;
  const refuse = (status: number, detail: unknown, headers = {}) => sendJson(response, status, { detail }, headers);
  const isStatus = request.url?.endsWith('/status') === true;
  const state = (status: string) => sendJson(response, status === 'COMPLETED' ? 200 : 202, { status });
  const file = { url: `${origin}/files/film.mp4` };
  switch (mood.mood) {
    case 'accepts':
      return sendJson(response, 200, { request_id: mood.id, status: 'IN_QUEUE', status_url: 'http://10.0.0.1/' });
    case 'refuses':
      return refuse(422, [{ loc: ['body'], msg: mood.reason, type: 'value_error' }]);
    case 'moderates':
      return refuse(422, [{ loc: ['body', 'prompt'], msg: 'no', type: 'content_policy_violation' }]);
    case 'is busy':
      return refuse(429, 'Too many requests', { 'retry-after': String(mood.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(401, `Cannot access application with ${MEDIA_KEY}`);
    case 'has no balance':
      return refuse(403, 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.');
    case 'answers 500':
      return sendJson(response, 500, { message: 'oops' });
    case 'runs':
      return state('IN_PROGRESS');
    case 'has finished':
    case 'cuts the content':
    case 'has let the content expire':
      return isStatus ? state('COMPLETED') : sendJson(response, 200, { video: file, images: [file] });
    case 'has failed':
      return isStatus
        ? state('COMPLETED')
        : refuse(500, [{ loc: ['body'], msg: mood.reason, type: 'internal_server_error' }]);
    case 'knows no such job':
      return refuse(404, 'Request not found');
    case 'says a strange word':
      return state('RETICULATING');
    case 'hangs':
    case 'loses the answer':
    case 'talks garbage':
  }
}

const subject = {
  kind: 'fal',
  model: MODEL,
  tellsProgress: false,
  setStage: mediaStage({ account, isSubmission: ({ method }) => method === 'POST', answer }),
};
describeVideoContract(subject);
describeImageContract(subject);

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

  it('that is refused is read although the answer repeats the pictures', async () => {
    const detail = [{ loc: ['body'], msg: 'why', type: 'x', input: 'a'.repeat(50_000_000) }];
    await using vendor = await jsonVendor(() => ({ status: 422, body: { detail } }));
    await using rig = mediaRig(account(vendor.origin));
    expect(await rig.video.submit(videoWish({}, { model: MODEL }), NEVER)).toEqual({
      kind: 'rejected',
      code: 'invalid_request',
      message: 'why',
    });
    expect(await polled('video', { status: 422, body: { detail } })).toMatchObject({ kind: 'failed', message: 'why' });
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

/** A vendor whose request has ended, and what it answers to the question for the result. */
async function polled(kind: 'video' | 'image', result: JsonAnswer, state: object = {}) {
  await using vendor = await jsonVendor(({ url }) =>
    url.endsWith('/status') ? { body: { status: 'COMPLETED', ...state } } : result,
  );
  await using rig = mediaRig(account(vendor.origin));
  const job = mediaJob(vendor.origin, { path: 'fal-ai/film', upstreamId: 'a/b' });
  const outcome = await rig[kind].poll(job, NEVER);
  expect(vendor.heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /fal-ai/film/requests/a%2Fb/status',
    'GET /fal-ai/film/requests/a%2Fb',
  ]);
  return outcome;
}

describe('a request that has ended', () => {
  const url = 'https://a.example/1';

  it.each([
    ['video', { video: { url, content_type: 'video/mp4' }, seed: 42 }, { outputs: [{ url }], seed: 42 }],
    ['video', { videos: [{ url }, { url: 'https://a.example/2' }] }, { outputs: [{ url }] }],
    ['video', { output: url }, { outputs: [{ url }] }],
    [
      'image',
      { images: [{ url }, { url: 'https://a.example/2' }] },
      { outputs: [{ url }, { url: 'https://a.example/2' }] },
    ],
    ['image', { image: { url } }, { outputs: [{ url }] }],
    ['image', { outputs: [url, {}] }, { outputs: [{ url }] }],
    ['video', { video: null, videos: [{ url }] }, { outputs: [{ url }] }],
    ['video', { video: [], output: { url: '' }, outputs: [{ url }] }, { outputs: [{ url }] }],
    ['image', { images: null, image: { url } }, { outputs: [{ url }] }],
    ['image', { images: [], image: 'data:image/png;base64,QQ==', output: [url] }, { outputs: [{ url }] }],
    ['video', { image_url: 'https://a.example/in.png', video_url: url }, { outputs: [{ url }] }],
    ['video', { data: { files: ['https://a.example/t.png', `${url}.mp4`] } }, { outputs: [{ url: `${url}.mp4` }] }],
    ['image', { video: { url: 'https://a.example/2' }, data: [{ url }] }, { outputs: [{ url }] }],
    ['video', { video: { url }, images: [{ url: 'https://a.example/poster' }], seed: 2 ** 60 }, { outputs: [{ url }] }],
  ] as const)('has made a %s: %o', async (kind, body, expected) => {
    expect(await polled(kind, { body })).toEqual({ kind: 'succeeded', ...expected });
  });

  it('tells which images its filter blackened', async () => {
    const images = [{ url }, { url }];
    expect(await polled('image', { body: { images, has_nsfw_concepts: [true, false] } })).toEqual({
      kind: 'succeeded',
      outputs: [{ error: { code: 'content_policy', message: expect.any(String) } }, { url }],
    });
    expect(await polled('image', { body: { images, has_nsfw_concepts: [true, true] } })).toMatchObject({
      kind: 'failed',
      code: 'content_policy',
    });
  });

  it.each([
    ['video', { body: {} }, 'provider_error'],
    ['video', { body: { images: [{ url }] } }, 'provider_error'],
    ['image', { body: { images: [] } }, 'provider_error'],
    ['image', { body: { images: [null], has_nsfw_concepts: [true] } }, 'content_policy'],
    ['video', { body: { image_url: url, thumbnail_url: url, input: { video_url: url } } }, 'provider_error'],
    ['video', { body: { video: null } }, 'provider_error'],
    ['video', { status: 422, body: { detail: [{ msg: 'no', type: 'missing' }] } }, 'invalid_request'],
    ['video', { status: 422, body: { detail: [{ msg: 'no', type: 'content_policy_violation' }] } }, 'content_policy'],
    ['video', { status: 504, body: { detail: 'Timed out', error_type: 'request_timeout' } }, 'provider_error'],
    ['video', { status: 404, body: { detail: 'Path /v9/text-to-video not found' } }, 'invalid_request'],
  ] as const)('has failed: %s %o', async (kind, result, code) => {
    expect(await polled(kind, result)).toMatchObject({ kind: 'failed', code });
  });

  it.each([
    [{ status: 502, body: {} }],
    [{ status: 500, body: { detail: 'Internal Server Error' } }],
    [{ status: 503, body: { detail: 'Service Unavailable' } }],
    [{ status: 404, body: { detail: 'Request not found' } }],
    [{ status: 403, body: { detail: 'User is locked' } }],
    [{ status: 429, body: { detail: 'slow' } }],
    [{ body: 'nonsense' }],
    [undefined],
  ])('may be asked for again: %o', async (result) => {
    expect(await polled('video', result)).toMatchObject({ kind: 'unclear' });
  });

  it('has failed when the status says so and the result says nothing', async () => {
    const state = { error: 'Runner lost at http://10.0.0.1/', error_type: 'runner_disconnected' };
    expect(await polled('video', { status: 502, body: {} }, state)).toEqual({
      kind: 'failed',
      code: 'provider_error',
      message: 'Runner lost at [link]',
    });
  });
});

it.each(['IN_QUEUE', 'IN_PROGRESS'])('%s runs, told with HTTP 202', async (status) => {
  await using vendor = await jsonVendor(() => ({ status: 202, body: { status, queue_position: 3 } }));
  await using rig = mediaRig(account(vendor.origin));
  const job = mediaJob(vendor.origin, { model: MODEL });
  expect(await rig.video.poll(job, NEVER)).toEqual({ kind: 'running' });
  expect(vendor.heard.map(({ url }) => url)).toEqual(['/fal-ai/film/requests/up_1/status']);
});

it.each([
  [202, { status: 'CANCELLATION_REQUESTED' }, 'canceled'],
  [200, {}, 'canceled'],
  [400, { status: 'ALREADY_COMPLETED' }, 'too_late'],
  [404, { status: 'NOT_FOUND' }, 'unclear'],
  [400, {}, 'unclear'],
  [500, {}, 'unclear'],
])('a cancellation answered with HTTP %i %o is %s', async (status, body, kind) => {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig(account(vendor.origin));
  const job = mediaJob(vendor.origin, { path: 'fal-ai/film' });
  expect(await rig.image.cancel?.(job, NEVER)).toMatchObject({ kind });
  expect(vendor.heard.map(({ method, url }) => `${method} ${url}`)).toEqual(['PUT /fal-ai/film/requests/up_1/cancel']);
});

it('an account without a key is none', () => {
  expect(() => mediaRig({ kind: 'fal', base_url: 'https://queue.example' })).toThrow('needs an api_key');
});
