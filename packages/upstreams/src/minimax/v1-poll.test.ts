import { describe, expect, it } from 'vitest';
import { type JsonResponse, jsonVendor, MEDIA_KEY, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const OK = { status_code: 0, status_msg: 'success' };

async function polled(task: JsonResponse, file: JsonResponse = { body: {} }) {
  await using vendor = await jsonVendor(({ url }) => (url.startsWith('/v1/files') ? file : task));
  await using rig = mediaRig({ kind: 'minimax', base_url: vendor.origin, api_key: MEDIA_KEY });
  const outcome = await rig.video.poll(mediaJob(vendor.origin, { upstreamId: 'a b&c', model: 'T2V-01' }), NEVER);
  return { outcome, urls: vendor.recorded.map(({ url }) => url) };
}

const coded = (status_code: number, status?: string) => ({ status, base_resp: { status_code, status_msg: 'why' } });

it.each([
  [{ status: 'Preparing', base_resp: OK }, { kind: 'running' }],
  [{ status: 'Queueing', base_resp: OK }, { kind: 'running' }],
  [{ status: 'Processing' }, { kind: 'running' }],
  [
    { status: 'Success', file_id: null, base_resp: OK },
    { kind: 'failed', code: 'provider_error' },
  ],
  [{ status: 'Success', base_resp: OK }, { kind: 'unclear' }],
  [{ status: 'Success', file_id: '' }, { kind: 'failed' }],
  [{ status: 'Success', file_id: 2 ** 60 }, { kind: 'unclear' }],
  [
    { status: 'Fail', base_resp: OK },
    { kind: 'failed', message: 'The upstream failed without a reason. Retry the request.' },
  ],
  [coded(1027, 'Fail'), { kind: 'failed', code: 'content_policy', message: 'why' }],
  [coded(1000, 'Fail'), { kind: 'failed', code: 'provider_error', message: 'why' }],
  [coded(1027), { kind: 'failed', code: 'content_policy', message: 'why' }],
  [coded(1004, 'Fail'), { kind: 'unclear' }],
  [
    { status: 'Fail', base_resp: { status_code: '1027', status_msg: 'why' } },
    { kind: 'failed', code: 'content_policy' },
  ],
  [{ status: 'Processing', base_resp: { status_code: '0' } }, { kind: 'running' }],
  [coded(1002), { kind: 'unclear' }],
  [coded(2013), { kind: 'unclear' }],
  [{ status: 'success', file_id: '1' }, { kind: 'unclear' }],
  [{ status: 'Unknown' }, { kind: 'unclear' }],
  [{}, { kind: 'unclear' }],
])('%o', async (body, expected) => {
  const { outcome, urls } = await polled({ body });
  expect(outcome).toMatchObject(expected);
  expect(urls).toEqual(['/v1/query/video_generation?task_id=a+b%26c']);
});

it.each([401, 404, 429, 500])('HTTP %i decides nothing, whatever the body', async (status) => {
  expect((await polled({ status, body: { status: 'Fail' } })).outcome).toMatchObject({ kind: 'unclear' });
});

describe('finished task', () => {
  const done = {
    body: { status: 'Success', file_id: 176_844_028_768_320, video_width: 1920, video_height: 1080, base_resp: OK },
  };

  it('requests the URL of its file', async () => {
    const { outcome, urls } = await polled(done, {
      body: { file: { download_url: 'https://cdn.example/f.mp4' }, base_resp: OK },
    });
    expect(outcome).toEqual({
      kind: 'succeeded',
      outputs: [{ url: 'https://cdn.example/f.mp4' }],
      size: '1920x1080',
    });
    expect(urls[1]).toBe('/v1/files/retrieve?file_id=176844028768320');
  });

  it.each([
    [{ body: { base_resp: { status_code: 1002, status_msg: 'rate limit' } } }],
    [{ body: { file: {}, base_resp: OK } }],
    [{ body: { file: { download_url: 'https://a.example' }, base_resp: { status_code: 1004 } } }],
    [{ status: 500, body: { file: { download_url: 'https://a.example' } } }],
    [undefined],
  ] as [JsonResponse][])('stays open without one: %o', async (file) => {
    expect((await polled(done, file)).outcome).toMatchObject({ kind: 'unclear' });
  });

  it('with an expired URL opens the fresh one', async () => {
    let requestCount = 0;
    await using vendor = await jsonVendor(({ url }) => {
      if (url === '/files/old') return { status: 403, body: {} };
      if (url === '/files/new')
        return (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('clip');
      if (!url.startsWith('/v1/files')) return done;
      requestCount += 1;
      return { body: { file: { download_url: `${vendor.origin}/files/new` }, base_resp: OK } };
    });
    await using rig = mediaRig({ kind: 'minimax', base_url: vendor.origin, api_key: MEDIA_KEY });
    const output = { index: 0, url: `${vendor.origin}/files/old` };
    const outcome = await rig.video.openContent(mediaJob(vendor.origin, { model: 'T2V-01' }), output, NEVER);
    expect([outcome.kind, requestCount]).toEqual(['opened', 1]);
    expect(
      vendor.recorded.filter(({ url }) => url.startsWith('/files/')).map(({ headers }) => headers.authorization),
    ).toEqual([undefined, undefined]);
  });
});
