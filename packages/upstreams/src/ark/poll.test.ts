import { expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

async function polled(body: unknown, status = 200) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  const base = `${vendor.origin}/api/v3`;
  await using rig = mediaRig({ kind: 'ark', base_url: base, api_key: MEDIA_KEY });
  const outcome = await rig.video.poll(mediaJob(base, { upstreamId: 'cgt-1/..' }), NEVER);
  expect(vendor.recorded.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v3/contents/generations/tasks/cgt-1%2F..',
  ]);
  return outcome;
}

const failed = (code: string, message = 'why') => ({ status: 'failed', error: { code, message } });

it.each([
  [{ status: 'queued' }, { kind: 'running' }],
  [{ status: 'running' }, { kind: 'running' }],
  [{ status: 'cancelled' }, { kind: 'failed', code: 'canceled' }],
  [{ status: 'expired' }, { kind: 'failed', code: 'provider_error' }],
  [
    { status: 'succeeded', content: {} },
    { kind: 'failed', code: 'provider_error' },
  ],
  [
    { status: 'succeeded', content: { video_url: '' } },
    { kind: 'failed', code: 'provider_error' },
  ],
  [{ status: 'succeeded', content: { video_url: 7 } }, { kind: 'unclear' }],
  [{ status: 'succeeded', content: { last_frame_url: 'https://a.example' } }, { kind: 'unclear' }],
  [{ status: 'succeeded', content: 7 }, { kind: 'unclear' }],
  [{ status: 'succeeded' }, { kind: 'unclear' }],
  [failed('OutputVideoSensitiveContentDetected'), { kind: 'failed', code: 'content_policy', message: 'why' }],
  [failed('InvalidParameter'), { kind: 'failed', code: 'invalid_request' }],
  [failed('InternalServiceError'), { kind: 'failed', code: 'provider_error' }],
  [{ status: 'failed' }, { kind: 'failed', message: 'The upstream failed without a reason. Retry the request.' }],
  [{ status: 'Succeeded', content: { video_url: 'https://a.example' } }, { kind: 'unclear' }],
  [{ status: 7 }, { kind: 'unclear' }],
  [{}, { kind: 'unclear' }],
  [[], { kind: 'unclear' }],
])('%o', async (body, expected) => {
  expect(await polled(body)).toMatchObject(expected);
});

it('success returns the file, its duration, and the seed', async () => {
  const body = {
    status: 'succeeded',
    content: { video_url: 'https://tos.example/f.mp4' },
    duration: 5,
    seed: 7,
    usage: {},
  };
  expect(await polled(body)).toEqual({
    kind: 'succeeded',
    outputs: [{ url: 'https://tos.example/f.mp4' }],
    seconds: '5',
    seed: 7,
  });
});

it.each([401, 403, 404, 429, 500])('HTTP %i decides nothing, whatever the body', async (status) => {
  expect(await polled({ status: 'failed' }, status)).toMatchObject({ kind: 'unclear' });
});
