import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const OLD = { acceptedAt: Date.now() - 3_600_000 };

async function outcomeOf(body: unknown, status = 200, job: object = {}, headers: Record<string, string> = {}) {
  await using vendor = await jsonVendor(() => ({ status, body, headers }));
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin, api_key: 'key-1' });
  return await rig.video.poll(mediaJob(vendor.origin, job), NEVER);
}

const taskResponse = (task_status: unknown, output: object = {}, more: object = {}) => ({
  request_id: 'a',
  output: { task_id: 'up_1', task_status, ...output },
  ...more,
});

const counted = (video_count: number) => taskResponse('SUCCEEDED', { orig_prompt: 'p' }, { usage: { video_count } });

it('polls the task, its id as one path segment', async () => {
  await using vendor = await jsonVendor(() => ({ body: {} }));
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin, api_key: 'key-1' });
  await rig.video.poll(mediaJob(vendor.origin, { upstreamId: 'a/../b?c' }), NEVER);
  await rig.image.poll(mediaJob(vendor.origin), NEVER);
  expect(vendor.recorded).toMatchObject([
    { method: 'GET', url: '/api/v1/tasks/a%2F..%2Fb%3Fc', headers: { authorization: 'Bearer key-1' } },
    { method: 'GET', url: '/api/v1/tasks/up_1' },
  ]);
});

describe('task', () => {
  it.each(['PENDING', 'RUNNING', 'SUSPENDED'])('is running: %s', async (status) => {
    expect(await outcomeOf(taskResponse(status))).toEqual({ kind: 'running' });
  });

  it.each([
    [taskResponse('SUCCEEDED', { video_url: 'https://cdn.example/v.mp4' }), {}],
    [
      taskResponse(
        'SUCCEEDED',
        { video_url: 'https://cdn.example/v.mp4' },
        { usage: { duration: 12, output_video_duration: 5, size: '1280*720', SR: 720 } },
      ),
      { seconds: '5', size: '1280x720' },
    ],
    [
      taskResponse(
        'SUCCEEDED',
        { video_url: 'https://cdn.example/v.mp4' },
        { usage: { video_duration: 5, video_count: 1 } },
      ),
      { seconds: '5' },
    ],
    [
      taskResponse('SUCCEEDED', { video_url: 'https://cdn.example/v.mp4' }, { usage: { duration: 5, size: 'large' } }),
      { seconds: '5' },
    ],
  ])('succeeded with a video: %o', async (body, expected) => {
    expect(await outcomeOf(body)).toEqual({
      kind: 'succeeded',
      outputs: [{ url: 'https://cdn.example/v.mp4' }],
      ...expected,
    });
  });

  it('reports the rewritten prompt', async () => {
    const output = { video_url: 'https://cdn.example/v.mp4', orig_prompt: 'a kite', actual_prompt: 'a red kite' };
    expect(await outcomeOf(taskResponse('SUCCEEDED', output))).toMatchObject({
      outputs: [{ revisedPrompt: 'a red kite' }],
    });
  });

  it('succeeded with images, some of which failed', async () => {
    const results = [
      { url: 'https://cdn.example/0.png', actual_prompt: 'a red kite' },
      { code: 'DataInspectionFailed', message: 'Output of up_1 may be inappropriate' },
      { code: 'InternalError.Timeout', message: 'An internal timeout error has occured' },
      { url: 'https://cdn.example/3.png' },
      {},
    ];
    expect(await outcomeOf(taskResponse('SUCCEEDED', { results, task_metrics: { TOTAL: 5 } }))).toEqual({
      kind: 'succeeded',
      outputs: [
        { url: 'https://cdn.example/0.png', revisedPrompt: 'a red kite' },
        { error: { code: 'content_policy', message: 'Output of [hidden] may be inappropriate' } },
        { error: { code: 'provider_error', message: 'An internal timeout error has occured' } },
        { url: 'https://cdn.example/3.png' },
        { error: { code: 'provider_error', message: 'The upstream failed without a reason. Retry the request.' } },
      ],
    });
  });

  it('succeeded with images in messages', async () => {
    const content = [{ image: 'https://cdn.example/0.png', type: 'image' }];
    expect(await outcomeOf(taskResponse('SUCCEEDED', { choices: [{ message: { content } }], finished: true }))).toEqual(
      {
        kind: 'succeeded',
        outputs: [{ url: 'https://cdn.example/0.png' }],
      },
    );
  });

  it('failed when every image failed, with the first reason', async () => {
    const results = [{ code: 'DataInspectionFailed', message: 'no' }, { code: 'InternalError' }];
    expect(await outcomeOf(taskResponse('SUCCEEDED', { results }))).toEqual({
      kind: 'failed',
      code: 'content_policy',
      message: 'no',
    });
  });

  it.each([{}, { results: 7 }, { results: [{}] }, { results: [7] }, { video_url: 7 }, { choices: [{ message: 7 }] }])(
    'stays open without a recognizable result: %o',
    async (output) => {
      expect(await outcomeOf(taskResponse('SUCCEEDED', output))).toMatchObject({ kind: 'unclear' });
    },
  );

  it('failed when it counts no videos', async () => {
    expect(await outcomeOf(counted(0))).toMatchObject({ kind: 'failed', code: 'provider_error' });
    expect(await outcomeOf(counted(1))).toMatchObject({ kind: 'unclear' });
  });

  it.each([{ results: [] }, { results: [{ url: '' }] }, { video_url: '' }, { video_url: null }, { choices: [] }])(
    'failed without a file: %o',
    async (output) => {
      expect(await outcomeOf(taskResponse('SUCCEEDED', output))).toMatchObject({
        kind: 'failed',
        code: 'provider_error',
      });
    },
  );

  it.each([
    [{ code: 'InvalidParameter', message: 'The size is not match' }, 'invalid_request', 'The size is not match'],
    [{ code: 'DataInspectionFailed', message: 'no' }, 'content_policy', 'no'],
    [{ code: 'InternalError', message: 'task up_1 died' }, 'provider_error', 'task [hidden] died'],
    [{ code: 'Arrearage', message: 'no money' }, 'provider_quota', 'no money'],
    [{}, 'provider_error', 'The upstream failed without a reason. Retry the request.'],
  ])('failed: %o', async (output, code, message) => {
    expect(await outcomeOf(taskResponse('FAILED', output))).toEqual({ kind: 'failed', code, message });
  });

  it('was canceled', async () => {
    expect(await outcomeOf(taskResponse('CANCELED'))).toMatchObject({ kind: 'failed', code: 'canceled' });
  });

  it('is lost when UNKNOWN, but only once it is old', async () => {
    expect(await outcomeOf(taskResponse('UNKNOWN'))).toMatchObject({ kind: 'unclear' });
    expect(await outcomeOf(taskResponse('UNKNOWN'), 200, OLD)).toMatchObject({
      kind: 'failed',
      code: 'content_expired',
    });
  });
});

describe('unclear polls', () => {
  it.each([
    [200, taskResponse('succeeded')],
    [200, taskResponse('DONE')],
    [200, taskResponse(['FAILED'])],
    [200, taskResponse(undefined)],
    [200, { code: 'InternalError', ...taskResponse('FAILED') }],
    [200, { task_status: 'FAILED' }],
    [200, []],
    [401, { code: 'InvalidApiKey' }],
    [404, {}],
    [500, taskResponse('FAILED')],
  ])('HTTP %i %o', async (status, body) => {
    expect(await outcomeOf(body, status, OLD)).toMatchObject({ kind: 'unclear' });
  });
});

it('return the delay that the vendor requests', async () => {
  const headers = { 'retry-after': '3' };
  const busy = await outcomeOf({ code: 'Throttling' }, 429, {}, headers);
  expect(busy).toMatchObject({ kind: 'unclear', retryAfterMs: 3000 });
  expect(await outcomeOf(taskResponse('RUNNING'), 200, {}, headers)).toEqual({ kind: 'running', retryAfterMs: 3000 });
});
