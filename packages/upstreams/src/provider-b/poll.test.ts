import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const PAIR = { access_key: 'AKTEST', secret_key: 'SKTEST' };
const OLD = { acceptedAt: Date.now() - 3_600_000 };

async function outcomeOf(body: unknown, status = 200, job: object = {}, headers: Record<string, string> = {}) {
  await using vendor = await jsonVendor(() => ({ status, body, headers }));
  await using rig = mediaRig({ kind: 'provider-b', base_url: vendor.origin, ...PAIR });
  return await rig.video.poll(mediaJob(vendor.origin, job), NEVER);
}

const jobResponse = (data: object | null, code = 10_000, message = 'Success') => ({
  code,
  message,
  data,
  status: code,
});

describe('poll', () => {
  it('uses the model of the submission', async () => {
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig({ kind: 'provider-b', base_url: vendor.origin, ...PAIR });
    await rig.video.poll(mediaJob(vendor.origin, { model: 'jimeng_t2v_v30', upstreamId: '739' }), NEVER);
    expect(vendor.recorded[0]).toMatchObject({
      method: 'POST',
      url: '/?Action=CVSync2AsyncGetResult&Version=2022-08-31',
      body: { req_key: 'jimeng_t2v_v30', task_id: '739' },
    });
    expect(vendor.recorded[0]?.body).not.toHaveProperty('req_json');
  });

  it('requests images as URLs', async () => {
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig({ kind: 'provider-b', base_url: vendor.origin, ...PAIR });
    await rig.image.poll(mediaJob(vendor.origin), NEVER);
    await rig.image.poll(mediaJob(vendor.origin, { path: '{"return_url":true,"logo_info":{}}' }), NEVER);
    expect(vendor.recorded).toMatchObject([
      { body: { req_json: '{"return_url":true}' } },
      { body: { req_json: '{"return_url":true,"logo_info":{}}' } },
    ]);
  });
});

describe('job', () => {
  it.each(['in_queue', 'generating'])('is running: %s', async (status) => {
    expect(await outcomeOf(jobResponse({ status }))).toEqual({ kind: 'running' });
  });

  it.each([
    [{ video_url: 'https://cdn.example/v.mp4' }, ['https://cdn.example/v.mp4']],
    [
      { image_urls: ['https://cdn.example/0.jpg', 'https://cdn.example/1.jpg'], binary_data_base64: null },
      ['https://cdn.example/0.jpg', 'https://cdn.example/1.jpg'],
    ],
  ])('succeeded: %o', async (data, urls) => {
    const outputs = urls.map((url) => ({ url }));
    expect(await outcomeOf(jobResponse({ status: 'done', ...data }))).toEqual({ kind: 'succeeded', outputs });
  });

  it.each([{}, { video_url: 7 }, { image_urls: 'none' }, { image_urls: [7] }, { video_url: '', image_urls: [{}, 7] }])(
    'stays open without a recognizable result: %o',
    async (data) => {
      expect(await outcomeOf(jobResponse({ status: 'done', ...data }))).toMatchObject({ kind: 'unclear' });
    },
  );

  it.each([{ video_url: '' }, { video_url: null }, { image_urls: [] }, { image_urls: null }])(
    'failed without a file: %o',
    async (data) => {
      const outcome = await outcomeOf(jobResponse({ status: 'done', ...data }));
      expect(outcome).toMatchObject({ kind: 'failed', code: 'provider_error' });
    },
  );

  it.each([
    [400, jobResponse(null, 50_411, 'Pre Img Risk Not Pass'), 'content_policy', 'Pre Img Risk Not Pass'],
    [400, jobResponse(null, 50_511, 'Post Img Risk Not Pass'), 'content_policy', 'Post Img Risk Not Pass'],
    [200, jobResponse(null, 50_412, ''), 'content_policy', 'The upstream failed without a reason. Retry the request.'],
    [500, jobResponse({ status: 'done' }, 50_500, 'job up_1 died'), 'provider_error', 'job [hidden] died'],
    [200, jobResponse({ status: 'done' }, 50_501, 'no memory'), 'provider_error', 'no memory'],
    [400, jobResponse({ status: 'done' }, 50_215, 'bad seed'), 'invalid_request', 'bad seed'],
  ])('failed: HTTP %i %o', async (status, body, code, message) => {
    expect(await outcomeOf(body, status)).toEqual({ kind: 'failed', code, message });
  });

  it.each(['not_found', 'expired'])('that is %s is lost only once it is old', async (status) => {
    expect(await outcomeOf(jobResponse({ status }))).toMatchObject({ kind: 'unclear' });
    expect(await outcomeOf(jobResponse({ status }), 200, OLD)).toMatchObject({
      kind: 'failed',
      code: 'content_expired',
    });
  });
});

describe('unclear polls', () => {
  it.each([
    [200, jobResponse({ status: 'Done' })],
    [200, jobResponse({ status: ['done'] })],
    [200, jobResponse({})],
    [200, jobResponse(null)],
    [200, { data: { status: 'done', video_url: 'https://cdn.example/v.mp4' } }],
    [500, jobResponse(null, 50_500)],
    [500, jobResponse(null, 50_501)],
    [400, jobResponse(null, 50_215)],
    [401, { ResponseMetadata: { Error: { Code: 'SignatureDoesNotMatch' } } }],
    [404, {}],
    [500, jobResponse({ status: 'generating' })],
    [200, []],
  ])('HTTP %i %o', async (status, body) => {
    expect(await outcomeOf(body, status, OLD)).toMatchObject({ kind: 'unclear' });
  });
});

it('return the delay that the vendor requests', async () => {
  const headers = { 'retry-after': '3' };
  const busy = await outcomeOf(jobResponse(null, 50_429), 429, {}, headers);
  expect(busy).toMatchObject({ kind: 'unclear', retryAfterMs: 3000 });
  expect(await outcomeOf(jobResponse({ status: 'in_queue' }), 200, {}, headers)).toEqual({
    kind: 'running',
    retryAfterMs: 3000,
  });
});
