import { describe, expect, it } from 'vitest';
import { type JsonResponse, jsonVendor, MEDIA_KEY, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const NAME = 'models/veo-3.1-generate-preview/operations/abc-1';

async function polled(body: unknown, status = 200) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  const base = `${vendor.origin}/v1beta`;
  await using rig = mediaRig({ kind: 'veo', base_url: base, api_key: MEDIA_KEY });
  const outcome = await rig.video.poll(mediaJob(base, { upstreamId: 'abc-1', path: NAME }), NEVER);
  expect(vendor.recorded.map(({ url }) => url)).toEqual([`/v1beta/${NAME}`]);
  return outcome;
}

const done = (generateVideoResponse: object) => ({ name: NAME, done: true, response: { generateVideoResponse } });
const failed = (code: number, message = 'why') => ({ name: NAME, done: true, error: { code, message } });

it.each([
  [{ name: NAME }, { kind: 'running' }],
  [{ name: NAME, done: false, metadata: {} }, { kind: 'running' }],
  [{ name: NAME, done: 'true' }, { kind: 'running' }],
  [failed(3), { kind: 'failed', code: 'invalid_request', message: 'why' }],
  [failed(3, 'violates our policies'), { kind: 'failed', code: 'content_policy' }],
  [failed(8), { kind: 'failed', code: 'provider_error' }],
  [failed(13), { kind: 'failed', code: 'provider_error' }],
  [failed(14), { kind: 'failed', code: 'provider_error' }],
  [
    { name: NAME, done: true, error: { message: 'why' } },
    { kind: 'failed', code: 'provider_error', message: 'why' },
  ],
  [
    { name: NAME, done: true },
    { kind: 'failed', code: 'provider_error' },
  ],
  [done({}), { kind: 'failed', message: 'The upstream returned no content. Retry the request.' }],
  [done({ generatedSamples: [{ video: {} }] }), { kind: 'failed', code: 'provider_error' }],
  [
    done({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['A person.', 'See https://a.example/x'] }),
    { kind: 'failed', code: 'content_policy', message: 'A person. See [link]' },
  ],
  [
    done({ raiMediaFilteredCount: 1, generatedSamples: [] }),
    {
      kind: 'failed',
      code: 'content_policy',
      message: "The upstream's content policy blocked the output. Change the request.",
    },
  ],
  [done({ raiMediaFilteredReasons: ['A person.'] }), { kind: 'failed', code: 'content_policy', message: 'A person.' }],
  [{ done: true }, { kind: 'unclear' }],
  [{}, { kind: 'unclear' }],
  [[], { kind: 'unclear' }],
])('%o', async (body, expected) => {
  expect(await polled(body)).toMatchObject(expected);
});

it.each([
  done({ generatedSamples: [{ video: { uri: 'https://a.example/f' } }, { video: { uri: 'https://a.example/g' } }] }),
  { name: NAME, done: true, response: { generatedSamples: [{ video: { uri: 'https://a.example/f' } }] } },
  { name: NAME, done: true, response: { videos: [{ uri: 'https://a.example/f' }] } },
  done({ raiMediaFilteredCount: 1, generatedSamples: [{ video: { uri: 'https://a.example/f' } }] }),
])('success returns the video: %o', async (body) => {
  expect(await polled(body)).toEqual({ kind: 'succeeded', outputs: [{ url: 'https://a.example/f' }] });
});

it('an inline video is not in the outcome', async () => {
  const body = done({ generatedSamples: [{ video: { encodedVideo: 'ZmlsbQ==', encoding: 'video/mp4' } }] });
  expect(await polled(body)).toEqual({ kind: 'succeeded', outputs: [{}] });
});

it.each([400, 401, 403, 404, 429, 500])('HTTP %i decides nothing, whatever the body', async (status) => {
  expect(await polled(failed(3), status)).toMatchObject({ kind: 'unclear' });
});

it('polls a job without a path by its id', async () => {
  await using vendor = await jsonVendor(() => ({ body: { name: NAME } }));
  await using rig = mediaRig({ kind: 'veo', base_url: vendor.origin, api_key: MEDIA_KEY });
  await rig.video.poll(mediaJob(vendor.origin, { model: 'veo-3', upstreamId: 'a/b' }), NEVER);
  expect(vendor.recorded[0]?.url).toBe('/models/veo-3/operations/a%2Fb');
});

/** @param output the stored output */
async function opened(
  reply: (url: string, origin: string) => JsonResponse,
  output: (origin: string) => object = () => ({}),
) {
  await using elsewhere = await jsonVendor(() => (response) => response.writeHead(200).end('clip elsewhere'));
  await using vendor = await jsonVendor(({ url }) =>
    reply(url, url.includes('out') ? elsewhere.origin : vendor.origin),
  );
  const account = { kind: 'veo', base_url: `${vendor.origin}/v1beta`, api_key: MEDIA_KEY };
  await using rig = mediaRig(account, { allow: [elsewhere.origin] });
  const job = mediaJob(`${vendor.origin}/v1beta`, { upstreamId: 'abc-1', path: NAME });
  const outcome = await rig.video.openContent(job, { index: 0, ...output(vendor.origin) }, NEVER);
  const chunks: Uint8Array[] = [];
  if (outcome.kind === 'opened') for await (const chunk of outcome.body) chunks.push(chunk);
  const keys = [vendor, elsewhere].map(({ recorded }) => recorded.map(({ headers }) => headers['x-goog-api-key']));
  return { outcome, text: Buffer.concat(chunks).toString(), keys };
}

describe('video', () => {
  it('is downloaded with the key if it is at the API itself', async () => {
    const { text, keys } = await opened(
      () => (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('clip'),
      (origin) => ({ url: `${origin}/v1beta/files/f:download?alt=media` }),
    );
    expect([text, keys]).toEqual(['clip', [[MEDIA_KEY], []]]);
  });

  it('elsewhere is downloaded without it, even after a redirect from the API', async () => {
    const { text, keys } = await opened(
      (_url, origin) => (response) => response.writeHead(302, { location: `${origin}/f` }).end(),
      (origin) => ({ url: `${origin}/v1beta/files/out` }),
    );
    expect([text, keys]).toEqual(['clip elsewhere', [[MEDIA_KEY], [undefined]]]);
  });

  it('in the response is decoded from it', async () => {
    const videoFile = Buffer.alloc(3_000_000, 'clip');
    for (const video of [
      { encodedVideo: videoFile.toString('base64') },
      { bytesBase64Encoded: videoFile.toString('base64') },
    ]) {
      const { outcome, text } = await opened(() => ({ body: done({ generatedSamples: [{ video }] }) }));
      expect(outcome).toMatchObject({ kind: 'opened', bytes: videoFile.byteLength });
      expect(text === videoFile.toString()).toBe(true);
    }
  });

  it('missing from the response may appear later', async () => {
    for (const body of [done({ generatedSamples: [{ video: { encodedVideo: '!' } }] }), { name: NAME }]) {
      expect((await opened(() => ({ body }))).outcome).toMatchObject({ kind: 'unclear' });
    }
  });
});
