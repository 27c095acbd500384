import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/local-server.ts';
import { jsonVendor, MEDIA_KEY, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'replicate', base_url: `${origin}/v1`, api_key: MEDIA_KEY });

async function polled(body: object, kind: 'video' | 'image' = 'video') {
  await using vendor = await jsonVendor(() => ({ body }));
  await using rig = mediaRig(account(vendor.origin));
  const outcome = await rig[kind].poll(mediaJob(`${vendor.origin}/v1`, { upstreamId: 'a/b' }), NEVER);
  expect(vendor.recorded.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/predictions/a%2Fb']);
  return outcome;
}

describe('poll', () => {
  it.each(['starting', 'processing'])('%s is running', async (status) => {
    expect(await polled({ status, output: null })).toEqual({ kind: 'running' });
    // The task is still running, although it already has output.
    expect(await polled({ status, output: 'https://a.example/clip.mp4' })).toEqual({ kind: 'running' });
  });

  it('reads long logs quickly', async () => {
    const bar = '12%|█ | 1/9\n 76%|███ | 7/9\n';
    expect(await polled({ status: 'processing', logs: `${'\n'.repeat(200_000)}${bar}` })).toMatchObject({
      progress: 76,
    });
    const begun = process.cpuUsage();
    expect(await polled({ status: 'processing', logs: `${bar}${'\n'.repeat(200_000)}` })).toEqual({ kind: 'running' });
    expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
  });

  it('returns every image, or the video', async () => {
    const output = ['https://a.example/poster.png', 'https://a.example/clip.mp4?sig=1'];
    expect(await polled({ status: 'succeeded', output }, 'image')).toEqual({
      kind: 'succeeded',
      outputs: output.map((url) => ({ url })),
    });
    expect(await polled({ status: 'succeeded', output })).toEqual({
      kind: 'succeeded',
      outputs: [{ url: output[1] }],
    });
    expect(await polled({ status: 'succeeded', output: { result: 'https://a.example/x' } })).toEqual({
      kind: 'succeeded',
      outputs: [{ url: 'https://a.example/x' }],
    });
  });

  it.each([
    [{ status: 'failed', error: 'NSFW content detected' }, 'content_policy'],
    [{ status: 'failed', error: null }, 'provider_error'],
    [{ status: 'canceled' }, 'canceled'],
    [{ status: 'aborted' }, 'canceled'],
    [{ status: 'succeeded', output: null }, 'provider_error'],
    [{ status: 'succeeded', output: 'some words' }, 'provider_error'],
    [{ status: 'succeeded', output: null, error: 'flagged as sensitive' }, 'content_policy'],
    [{ status: 'succeeded', output: null, data_removed: true }, 'content_expired'],
  ])('%o failed', async (body, code) => {
    expect(await polled(body)).toMatchObject({ kind: 'failed', code });
  });

  it.each([{ status: 'SUCCEEDED' }, { status: 7 }, {}])('%o is unclear', async (body) => {
    expect(await polled(body)).toMatchObject({ kind: 'unclear' });
  });
});

it('a file that Replicate deleted is expired', async () => {
  await using store = await startServer((_request, response) => response.writeHead(404).end());
  await using vendor = await jsonVendor(() => ({ body: { status: 'succeeded', output: null, data_removed: true } }));
  await using rig = mediaRig(account(vendor.origin), { allow: [store.origin] });
  const output = { index: 0, url: `${store.origin}/clip.mp4` };
  const outcome = await rig.video.openContent(mediaJob(`${vendor.origin}/v1`), output, NEVER);
  expect(outcome).toMatchObject({ kind: 'expired' });
  expect(store.requests[0]?.headers).not.toHaveProperty('authorization');
});

async function canceled(status: number, body: object, then: object = {}) {
  await using vendor = await jsonVendor(({ method }) => (method === 'POST' ? { status, body } : { body: then }));
  await using rig = mediaRig(account(vendor.origin));
  const outcome = await rig.image.cancel?.(mediaJob(`${vendor.origin}/v1`), NEVER);
  return [outcome?.kind, vendor.recorded.map(({ method, url }) => `${method} ${url}`)];
}

describe('cancellation', () => {
  const CANCEL = 'POST /v1/predictions/up_1/cancel';
  const output = 'https://a.example/clip.mp4';

  it.each([
    [200, { status: 'canceled' }, 'canceled'],
    [200, { status: 'aborted' }, 'canceled'],
    [202, { status: 'processing' }, 'canceled'],
    [200, { status: 'succeeded', output }, 'too_late'],
    [200, { status: 'failed', error: 'x' }, 'unsupported'],
    [200, {}, 'unclear'],
    [401, {}, 'unclear'],
    [429, {}, 'unclear'],
    [500, {}, 'unclear'],
  ])('with HTTP %i %o is %s', async (status, body, kind) => {
    expect(await canceled(status, body)).toEqual([kind, [CANCEL]]);
  });

  it.each([
    [{ status: 'succeeded', output }, 'too_late'],
    [{ status: 'canceled' }, 'canceled'],
    [{ status: 'processing' }, 'unsupported'],
    [{}, 'unclear'],
  ])('returns the state of the prediction after a refusal: %o', async (then, kind) => {
    expect(await canceled(422, {}, then)).toEqual([kind, [CANCEL, 'GET /v1/predictions/up_1']]);
  });
});
