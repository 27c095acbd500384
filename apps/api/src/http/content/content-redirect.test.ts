import { openContentStore } from '@sluice/content';
import { type S3Server, startS3Server } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../../test/api-rig.ts';

const VIDEO_FILE = Buffer.from(`\0\0\0\x18ftypisom\0\0\0\0isomiso2avc1${'video'.repeat(1000)}`, 'latin1');

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());

async function rigWith(redirect: boolean): Promise<ApiRig> {
  const { endpoint, bucket, accessKey, secretKey } = s3;
  const place = { bucket, endpoint, region: 'us-east-1', prefix: 'sluice', path_style: true };
  const settings = { ...place, access_key: accessKey, secret_key: secretKey, redirect, redirect_ms: 60_000 };
  const rig = await apiRig({
    store: await openContentStore({ dir: '/nowhere', s3: settings }),
    script: {
      content: () => ({
        kind: 'opened',
        bytes: VIDEO_FILE.length,
        body: (async function* bytes() {
          yield VIDEO_FILE;
        })(),
      }),
    },
  });
  await rig.tasks.startWorker();
  return rig;
}

async function finished(rig: ApiRig): Promise<string> {
  // The cast is safe because every created video has an id.
  const { id } = (await (await rig.create({ prompt: 'a kite' }, { prefer: 'wait=30' })).json()) as { id: string };
  return `/v1/videos/${id}/content`;
}

const authorization = `Bearer ${KEYS.alice}`;

describe('a finished video in a bucket', () => {
  it('is streamed from the bucket, completely and in ranges', async () => {
    const rig = await rigWith(false);
    const at = await finished(rig);
    expect(Buffer.from(await (await rig.call(at)).arrayBuffer()).equals(VIDEO_FILE)).toBe(true);
    const part = await rig.call(at, { headers: { authorization, range: 'bytes=4-7' } });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'ftyp',
      `bytes 4-7/${VIDEO_FILE.length}`,
    ]);
    const head = await rig.call(at, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(VIDEO_FILE.length)]);
    await rig.close();
  });

  it('is downloaded from the bucket by the client if redirects are enabled', async () => {
    const rig = await rigWith(true);
    const at = await finished(rig);
    const sent = await rig.call(at, { redirect: 'manual' });
    expect([sent.status, sent.headers.get('cache-control')]).toEqual([302, 'private, no-store']);
    expect(sent.headers.get('location')).toMatch(new RegExp(`^${s3.endpoint}/media/sluice/videos/.*X-Amz-Signature=`));
    // When the SDKs follow a redirect, they drop the API key but keep the `Range` header.
    const part = await rig.call(at, { headers: { authorization, range: 'bytes=4-7' } });
    expect([part.status, await part.text(), part.headers.get('content-type')]).toEqual([206, 'ftyp', 'video/mp4']);
    const known = await rig.call(at, { method: 'HEAD' });
    const etag = known.headers.get('etag') ?? '';
    expect([known.status, known.headers.get('content-length')]).toEqual([200, String(VIDEO_FILE.length)]);
    expect((await rig.call(at, { headers: { authorization, 'if-none-match': etag } })).status).toBe(304);
    expect(rig.logs()).not.toContain('X-Amz-Signature');
    await rig.close();
  });

  it('is visible to its owner only, redirected or not', async () => {
    const rig = await rigWith(true);
    const at = await finished(rig);
    const response = await rig.call(at, { redirect: 'manual', headers: { authorization: `Bearer ${KEYS.bob}` } });
    expect([response.status, response.headers.get('location')]).toEqual([404, null]);
    await rig.close();
  });
});
