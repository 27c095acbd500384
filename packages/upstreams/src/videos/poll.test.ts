import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sendJson, startServer } from '../../test/local-server.ts';
import { API_KEY, job, NEVER, videosRig } from '../../test/videos-rig.ts';

async function outcomeOf(body: unknown, status = 200, headers: Record<string, string> = {}) {
  await using server = await startServer((_request, response) => sendJson(response, status, body, headers));
  await using rig = videosRig(server.origin);
  return await rig.video.poll(job(server.origin), NEVER);
}

it('polls the id as one path segment, with the credential', async () => {
  await using server = await startServer((_request, response) => sendJson(response, 200, { status: 'queued' }));
  await using rig = videosRig(server.origin);
  await rig.video.poll(job(server.origin, 'a/../b?c#d'), NEVER);
  expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/videos/a%2F..%2Fb%3Fc%23d' });
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
});

describe('running', () => {
  it.each([
    [{ status: 'queued' }, {}],
    [{ status: 'in_progress', progress: 35 }, { progress: 35 }],
    [{ status: 'IN_PROGRESS', progress: '35.9%' }, { progress: 35 }],
    [{ status: 'NOT_START', progress: '' }, {}],
    [{ status: ' processing ', progress: 250 }, { progress: 100 }],
    [{ task_status: 'submitted' }, {}],
    [{ status: 'running', progress: 'half' }, {}],
    [{ code: 'success', data: { status: 'IN_PROGRESS', progress: '20%' } }, { progress: 20 }],
    [{ status: 'success', data: { status: 'processing' } }, {}],
    [{ output: { task_status: 'PENDING' } }, {}],
  ])('%o', async (body, expected) => {
    expect(await outcomeOf(body)).toEqual({ kind: 'running', ...expected });
  });

  it('returns the delay that the upstream requests', async () => {
    const headers = { 'openai-poll-after-ms': '2500' };
    expect(await outcomeOf({ status: 'queued' }, 200, headers)).toEqual({ kind: 'running', retryAfterMs: 2500 });
  });
});

describe('succeeded', () => {
  it.each([
    [{ status: 'completed' }, {}],
    [{ status: 'succeeded', url: 'https://x.example/a.mp4' }, {}],
    [
      { status: 'SUCCESS', seconds: '8', size: '1280*720' },
      { seconds: '8', size: '1280x720' },
    ],
    [{ status: 'completed', duration: 5, size: 'large', seconds: null }, { seconds: '5' }],
    [{ status: 'completed', expires_at: 0, error: null }, {}],
  ])('%o', async (body, expected) => {
    expect(await outcomeOf(body)).toEqual({ kind: 'succeeded', ...expected });
  });
});

describe('failed', () => {
  it.each([
    [
      { status: 'failed' },
      { code: 'provider_error', message: 'The upstream failed without a reason. Retry the request.' },
    ],
    [
      { status: 'failed', error: { code: 'moderation_blocked', message: 'no' } },
      { code: 'content_policy', message: 'no' },
    ],
    [
      { status: 'failed', error: { code: 'invalid_size', message: 'no' } },
      { code: 'invalid_request', message: 'no' },
    ],
    [
      { status: 'FAILURE', fail_reason: 'no memory' },
      { code: 'provider_error', message: 'no memory' },
    ],
    [
      { status: 'failed', error: 'plain words' },
      { code: 'provider_error', message: 'plain words' },
    ],
    [{ status: 'failed', error: { message: 'job up_1 died' } }, { message: 'job [hidden] died' }],
    [{ status: 'cancelled' }, { code: 'canceled' }],
  ])('%o', async (body, expected) => {
    expect(await outcomeOf(body)).toMatchObject({ kind: 'failed', ...expected });
  });
});

describe('unclear', () => {
  it.each([
    [200, { status: 'unknown' }],
    [200, { status: 'expired?' }],
    [200, { status: 'fail ed' }],
    [200, { status: ['failed'] }],
    [200, { status: true }],
    [200, {}],
    [200, null],
    [200, [{ status: 'failed' }]],
    [200, { code: 'task_not_exist', message: 'failed' }],
    [200, { error: { message: 'failed' } }],
    [404, { status: 'failed' }],
    [400, { status: 'failed' }],
    [401, {}],
    [302, {}],
    [500, { status: 'failed' }],
  ])('HTTP %i %o', async (status, body) => {
    expect(await outcomeOf(body, status)).toMatchObject({ kind: 'unclear' });
  });

  it('covers every response without a known status', async () => {
    const responses: unknown[] = fc.sample(fc.object(), 40);
    await using server = await startServer((_request, response) => sendJson(response, 200, responses.at(-1)));
    await using rig = videosRig(server.origin);
    for (; responses.length > 0; responses.pop()) {
      expect(await rig.video.poll(job(server.origin), NEVER)).toMatchObject({ kind: 'unclear' });
    }
  });
});
