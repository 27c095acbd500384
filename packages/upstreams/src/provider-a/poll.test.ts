import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const OLD = { acceptedAt: Date.now() - 3_600_000 };

async function outcomeOf(body: unknown, status = 200, job: object = {}, headers: Record<string, string> = {}) {
  await using vendor = await jsonVendor(() => ({ status, body, headers }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
  return await rig.video.poll(mediaJob(vendor.origin, job), NEVER);
}

const jobResponse = (data: object) => ({ code: 0, message: 'SUCCEED', data: { task_id: 'up_1', ...data } });
const videos = (...list: unknown[]) => ({ task_status: 'succeed', task_result: { videos: list } });

it('polls the path that accepted the job, with the id as one segment', async () => {
  await using vendor = await jsonVendor(() => ({ body: {} }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
  const path = '/v1/videos/image2video';
  await rig.video.poll(mediaJob(vendor.origin, { path, upstreamId: 'a/../b?c' }), NEVER);
  await rig.video.poll(mediaJob(vendor.origin), NEVER);
  expect(vendor.recorded.map(({ method, url }) => [method, url])).toEqual([
    ['GET', '/v1/videos/image2video/a%2F..%2Fb%3Fc'],
    ['GET', '/v1/videos/text2video/up_1'],
  ]);
});

describe('job', () => {
  it.each(['submitted', 'processing'])('is running: %s', async (task_status) => {
    expect(await outcomeOf(jobResponse({ task_status }))).toEqual({ kind: 'running' });
  });

  it.each([
    [videos({ id: 'v', url: 'https://cdn.example/v.mp4', duration: '5.1' }), ['https://cdn.example/v.mp4'], '5.1'],
    [videos({ url: 'https://cdn.example/v.mp4', duration: 5 }), ['https://cdn.example/v.mp4'], '5'],
    [videos({ url: 'https://cdn.example/v.mp4', duration: 'long' }), ['https://cdn.example/v.mp4'], undefined],
    [
      videos({ url: 'https://cdn.example/v.mp4', watermark_url: 'https://cdn.example/w.mp4' }),
      ['https://cdn.example/v.mp4'],
      undefined,
    ],
    [
      {
        ...videos({ url: 'https://cdn.example/v.mp4', watermark_url: 'https://cdn.example/w.mp4' }),
        watermark_info: { enabled: true },
      },
      ['https://cdn.example/w.mp4'],
      undefined,
    ],
  ])('succeeded: %o', async (data, urls, seconds) => {
    expect(await outcomeOf(jobResponse(data))).toEqual({
      kind: 'succeeded',
      outputs: urls.map((url) => ({ url })),
      ...(seconds !== undefined && { seconds }),
    });
  });

  it.each([
    videos({}),
    videos({ url: 7 }),
    videos({ url: '' }, 7),
    videos(7),
    { task_status: 'succeed' },
    { task_status: 'succeed', task_result: 7 },
    { task_status: 'succeed', task_result: { videos: 'none' } },
  ])('stays open without a recognizable result: %o', async (data) => {
    expect(await outcomeOf(jobResponse(data))).toMatchObject({ kind: 'unclear' });
  });

  it.each([videos(), videos({ url: '' }), videos({ url: null }), { task_status: 'succeed', task_result: null }])(
    'failed without a file: %o',
    async (data) => {
      expect(await outcomeOf(jobResponse(data))).toMatchObject({ kind: 'failed', code: 'provider_error' });
    },
  );

  it.each([
    ['Image pixel is invalid', 'provider_error', 'Image pixel is invalid'],
    ['Failure to pass the risk control system', 'content_policy', 'Failure to pass the risk control system'],
    ['job up_1 at https://10.0.0.1/x died', 'provider_error', 'job [hidden] at [link] died'],
    ['', 'provider_error', 'The upstream failed without a reason. Retry the request.'],
  ])('failed: %s', async (task_status_msg, code, message) => {
    const data = { task_status: 'failed', task_status_msg };
    expect(await outcomeOf(jobResponse(data))).toEqual({ kind: 'failed', code, message });
  });
});

describe('unclear polls', () => {
  it.each([
    [200, jobResponse({ task_status: 'succeeded' })],
    [200, jobResponse({ task_status: 'SUCCEED' })],
    [200, jobResponse({ task_status: ['failed'] })],
    [200, jobResponse({})],
    [200, { data: { task_status: 'failed' } }],
    [200, { code: 5000, data: { task_status: 'failed' } }],
    [200, { code: 1301, message: 'no' }],
    [200, { code: 1203 }],
    [200, []],
    [401, { code: 1002 }],
    [404, { code: 1203 }],
    [404, {}],
    [500, jobResponse({ task_status: 'failed' })],
  ])('HTTP %i %o', async (status, body) => {
    expect(await outcomeOf(body, status)).toMatchObject({ kind: 'unclear' });
  });

  it('include a missing job only while it is young', async () => {
    expect(await outcomeOf({ code: 1203 }, 404, OLD)).toMatchObject({ kind: 'failed', code: 'content_expired' });
    expect(await outcomeOf({}, 404, OLD)).toMatchObject({ kind: 'unclear' });
  });
});

it('return the delay that the vendor requests', async () => {
  const headers = { 'retry-after': '3' };
  expect(await outcomeOf({ code: 1302 }, 429, {}, headers)).toMatchObject({ kind: 'unclear', retryAfterMs: 3000 });
  const body = jobResponse({ task_status: 'processing' });
  expect(await outcomeOf(body, 200, {}, headers)).toEqual({ kind: 'running', retryAfterMs: 3000 });
});
