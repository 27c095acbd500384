import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import {
  respondCommonly,
  type JsonResponse,
  jsonVendor,
  MEDIA_KEY,
  mediaJob,
  mediaRig,
  mediaStage,
  videoParams,
} from '../../test/media-rig.ts';
import { describeImageContract, describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';
import { NEVER } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'fal', base_url: origin, api_key: MEDIA_KEY });
const MODEL = 'fal-ai/clip/v2/text-to-video';

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (respondCommonly(behavior, request, response)) return;
  const refuse = (status: number, detail: unknown, headers = {}) => sendJson(response, status, { detail }, headers);
  const isStatus = request.url?.endsWith('/status') === true;
  const state = (status: string) => sendJson(response, status === 'COMPLETED' ? 200 : 202, { status });
  const file = { url: `${origin}/files/clip.mp4` };
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, { request_id: behavior.id, status: 'IN_QUEUE', status_url: 'http://10.0.0.1/' });
    case 'refuses':
      return refuse(422, [{ loc: ['body'], msg: behavior.reason, type: 'value_error' }]);
    case 'moderates':
      return refuse(422, [{ loc: ['body', 'prompt'], msg: 'no', type: 'content_policy_violation' }]);
    case 'is busy':
      return refuse(429, 'Too many requests', { 'retry-after': String(behavior.retryAfterSeconds) });
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
    case 'has expired the content':
      return isStatus ? state('COMPLETED') : sendJson(response, 200, { video: file, images: [file] });
    case 'has failed':
      return isStatus
        ? state('COMPLETED')
        : refuse(500, [{ loc: ['body'], msg: behavior.reason, type: 'internal_server_error' }]);
    case 'does not know the job':
      return refuse(404, 'Request not found');
    case 'returns an unknown status':
      return state('RETICULATING');
    case 'hangs':
    case 'drops the connection':
    case 'returns garbage':
  }
}

const subject = {
  kind: 'fal',
  model: MODEL,
  reportsProgress: false,
  setStage: mediaStage({ account, isSubmission: ({ method }) => method === 'POST', response: reply }),
};
describeVideoContract(subject);
describeImageContract(subject);

/** Polls a finished request that has the given result. */
async function polled(kind: 'video' | 'image', result: JsonResponse, state: object = {}) {
  await using vendor = await jsonVendor(({ url }) =>
    url.endsWith('/status') ? { body: { status: 'COMPLETED', ...state } } : result,
  );
  await using rig = mediaRig(account(vendor.origin));
  const job = mediaJob(vendor.origin, { path: 'fal-ai/clip', upstreamId: 'a/b' });
  const outcome = await rig[kind].poll(job, NEVER);
  expect(vendor.recorded.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /fal-ai/clip/requests/a%2Fb/status',
    'GET /fal-ai/clip/requests/a%2Fb',
  ]);
  return outcome;
}

it('reads a refused submission even though the response repeats the images', async () => {
  const detail = [{ loc: ['body'], msg: 'why', type: 'x', input: 'a'.repeat(50_000_000) }];
  await using vendor = await jsonVendor(() => ({ status: 422, body: { detail } }));
  await using rig = mediaRig(account(vendor.origin));
  expect(await rig.video.submit(videoParams({}, { model: MODEL }), NEVER)).toEqual({
    kind: 'rejected',
    code: 'invalid_request',
    message: 'why',
  });
  expect(await polled('video', { status: 422, body: { detail } })).toMatchObject({ kind: 'failed', message: 'why' });
});

describe('completed request', () => {
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
  ] as const)('returns a %s: %o', async (kind, body, expected) => {
    expect(await polled(kind, { body })).toEqual({ kind: 'succeeded', ...expected });
  });

  it('reports images that the safety filter blackened', async () => {
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
  ] as const)('failed: %s %o', async (kind, result, code) => {
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
  ])('may be polled again: %o', async (result) => {
    expect(await polled('video', result)).toMatchObject({ kind: 'unclear' });
  });

  it('failed when the status reports an error and the result does not', async () => {
    const state = { error: 'Runner lost at http://10.0.0.1/', error_type: 'runner_disconnected' };
    expect(await polled('video', { status: 502, body: {} }, state)).toEqual({
      kind: 'failed',
      code: 'provider_error',
      message: 'Runner lost at [link]',
    });
  });
});

it.each(['IN_QUEUE', 'IN_PROGRESS'])('%s is running, with HTTP 202', async (status) => {
  await using vendor = await jsonVendor(() => ({ status: 202, body: { status, queue_position: 3 } }));
  await using rig = mediaRig(account(vendor.origin));
  const job = mediaJob(vendor.origin, { model: MODEL });
  expect(await rig.video.poll(job, NEVER)).toEqual({ kind: 'running' });
  expect(vendor.recorded.map(({ url }) => url)).toEqual(['/fal-ai/clip/requests/up_1/status']);
});

it.each([
  [202, { status: 'CANCELLATION_REQUESTED' }, 'canceled'],
  [200, {}, 'canceled'],
  [400, { status: 'ALREADY_COMPLETED' }, 'too_late'],
  [404, { status: 'NOT_FOUND' }, 'unclear'],
  [400, {}, 'unclear'],
  [500, {}, 'unclear'],
])('maps HTTP %i %o of a cancellation to %s', async (status, body, kind) => {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig(account(vendor.origin));
  const job = mediaJob(vendor.origin, { path: 'fal-ai/clip' });
  expect(await rig.image.cancel?.(job, NEVER)).toMatchObject({ kind });
  expect(vendor.recorded.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'PUT /fal-ai/clip/requests/up_1/cancel',
  ]);
});

it('requires an API key', () => {
  expect(() => mediaRig({ kind: 'fal', base_url: 'https://queue.example' })).toThrow('needs an api_key');
});
