import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type S3Server, startS3Server, TINY_PNG } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { KEY, type Stack, startStack } from '../stack.ts';

let s3: S3Server;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  s3 = await startS3Server();
  const { endpoint, bucket, accessKey, secretKey } = s3;
  const location = { bucket, endpoint, prefix: 'sluice', path_style: true };
  const content = { s3: { ...location, access_key: accessKey, secret_key: secretKey } };
  stack = await startStack({ workers: 2, config: { content } });
  client = new Client(stack.origin, KEY);
});
afterAll(async () => {
  await stack.close();
  await s3.close().catch(() => undefined); // The last test may have closed it already.
});

async function finished(prompt: string): Promise<string> {
  const { id } = await client.create(prompt, prompt);
  await expect.poll(async () => (await client.retrieve(id))?.status).toBe('completed');
  return id;
}

async function videosInBucket(): Promise<number> {
  // The folder may not exist yet.
  const entries = await readdir(path.dirname(s3.fileOf('sluice/videos/x')), { recursive: true }).catch(() => []);
  return entries.filter((name) => name.endsWith('_object')).length;
}

describe('content in a bucket', () => {
  it('is written by the worker and served by the API, complete and as ranges', async () => {
    const id = await finished('a kite');
    const complete = await client.fetch(`/v1/videos/${id}/content`);
    const video = Buffer.from(await complete.arrayBuffer());
    expect([complete.status, video.subarray(4, 8).toString()]).toEqual([200, 'ftyp']);
    expect(complete.headers.get('content-length')).toBe(String(video.length));
    const part = await client.fetch(`/v1/videos/${id}/content`, { headers: { range: `bytes=4-${video.length - 2}` } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(video.subarray(4, -1))).toBe(true);
    expect(await videosInBucket()).toBe(1);
    // No content is stored in the local folder.
    await expect(readdir(path.join(stack.dir, 'data', 'content', 'videos'))).rejects.toThrow('ENOENT');
  });

  it('is deleted with its task', async () => {
    const id = await finished('a boat');
    const before = await videosInBucket();
    expect((await client.fetch(`/v1/videos/${id}`, { method: 'DELETE' })).status).toBe(200);
    await expect.poll(videosInBucket).toBe(before - 1);
  });

  it('is reported as expired after its deletion from the bucket', async () => {
    const id = await finished('a tram');
    await rm(path.dirname(s3.fileOf('sluice/videos/x')), { recursive: true });
    const response = await client.fetch(`/v1/videos/${id}/content`);
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'content_expired' } }]);
  });

  it('causes a retryable 503 while the bucket is unreachable', async () => {
    const id = await finished('a goat');
    await s3.close();
    const response = await client.fetch(`/v1/videos/${id}/content`);
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: 'store_unavailable' } }]);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    const form = new FormData();
    form.set('prompt', 'a kite');
    form.set('input_reference', new Blob([TINY_PNG], { type: 'image/png' }), 'a.png');
    const upload = await client.fetch('/v1/videos', { method: 'POST', body: form });
    expect([upload.status, await upload.json()]).toMatchObject([503, { error: { code: 'store_unavailable' } }]);
  });
});
