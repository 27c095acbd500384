import { describe, expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const JOB = { model: 'MiniMax-H3', upstreamId: '424010985738629' };

async function polled(body: unknown, status = 200) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig({ kind: 'minimax', base_url: vendor.origin, api_key: MEDIA_KEY });
  const outcome = await rig.video.poll(mediaJob(vendor.origin, JOB), NEVER);
  expect(vendor.recorded.map(({ url }) => url)).toEqual(['/v2/query/video_generation/424010985738629']);
  return outcome;
}

const failed = (code: string) => ({ task: { status: 'failed', error: { code, message: 'why' } } });

describe('v2 task', () => {
  it.each([
    [{ task: { status: 'queued' } }, { kind: 'running' }],
    [{ task: { status: 'running' } }, { kind: 'running' }],
    [{ task: { status: 'cancelled' } }, { kind: 'failed', code: 'canceled' }],
    [{ task: { status: 'expired' } }, { kind: 'failed', code: 'provider_error' }],
    [{ task: { status: 'succeeded', content: {} } }, { kind: 'failed', code: 'provider_error' }],
    [{ task: { status: 'succeeded', content: { url: null } } }, { kind: 'failed', code: 'provider_error' }],
    [{ task: { status: 'succeeded', content: { url: 7 } } }, { kind: 'unclear' }],
    [{ task: { status: 'succeeded' } }, { kind: 'unclear' }],
    [failed('1026'), { kind: 'failed', code: 'content_policy', message: 'why' }],
    [failed('2013'), { kind: 'failed', code: 'invalid_request' }],
    [failed('constructor'), { kind: 'failed', code: 'provider_error' }],
    [{ task: { status: 'failed' } }, { kind: 'failed', code: 'provider_error' }],
    [{ status: 'failed' }, { kind: 'unclear' }],
    [{ task: { status: 'reticulating' } }, { kind: 'unclear' }],
  ])('%o', async (body, expected) => {
    expect(await polled(body)).toMatchObject(expected);
  });

  it('that succeeded has a file and a duration', async () => {
    const body = { task: { status: 'succeeded', content: { url: 'https://cdn.example/f.mp4' }, duration: 8 } };
    expect(await polled(body)).toEqual({
      kind: 'succeeded',
      outputs: [{ url: 'https://cdn.example/f.mp4' }],
      seconds: '8',
    });
  });

  it.each([400, 401, 404, 429, 500])('stays open after HTTP %i', async (status) => {
    expect(await polled({ task: { status: 'failed' } }, status)).toMatchObject({ kind: 'unclear' });
  });
});

async function canceled(model: string, states: string[], deletion = 200) {
  let polls = 0;
  await using vendor = await jsonVendor(({ method }) => {
    if (method === 'DELETE') return { status: deletion, body: {} };
    polls += 1;
    return { body: { task: { status: states[polls - 1], content: { url: 'https://a.example/f.mp4' } } } };
  });
  await using rig = mediaRig({ kind: 'minimax', base_url: vendor.origin, api_key: MEDIA_KEY });
  const outcome = await rig.video.cancel?.(mediaJob(vendor.origin, { model }), NEVER);
  return [outcome?.kind, ...vendor.recorded.map(({ method, url }) => `${method} ${url}`)];
}

const POLL = 'GET /v2/query/video_generation/up_1';

describe('cancellation', () => {
  it('is supported by v2 only', async () => {
    expect(await canceled('MiniMax-Hailuo-02', ['queued'])).toEqual(['unsupported']);
    expect(await canceled('MiniMax-H3', ['queued'])).toEqual(['canceled', POLL, 'DELETE /v2/video_generation/up_1']);
  });

  it('never deletes a task that has started', async () => {
    expect(await canceled('MiniMax-H3', ['succeeded'])).toEqual(['too_late', POLL]);
    expect(await canceled('MiniMax-H3', ['running'])).toEqual(['unsupported', POLL]);
    expect(await canceled('MiniMax-H3', ['queued', 'succeeded'], 400)).toEqual([
      'too_late',
      POLL,
      'DELETE /v2/video_generation/up_1',
      POLL,
    ]);
  });
});
