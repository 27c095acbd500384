import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileSettings } from '@sluice/config';
import { type ContentStore, openContentStore } from '@sluice/content';
import { createFileStore, type FileStore } from '@sluice/files';
import { GoogleGenAI } from '@google/genai';
import { openRedis, type S3Server, startS3Server } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

let server: S3Server;
let rig: ApiRig;
let openai: OpenAI;
let redis: Redis;
/** Sweeps as a worker does. */
let sweeper: FileStore;
let now = Date.now();
beforeAll(async () => {
  server = await startS3Server();
  const { endpoint, bucket, accessKey, secretKey } = server;
  const credentials = { access_key: accessKey, secret_key: secretKey };
  const place = { bucket, endpoint, region: 'us-east-1', prefix: 'files', path_style: true };
  const s3 = { ...place, ...credentials, redirect: true, redirect_ms: 60_000 };
  const store: ContentStore = await openContentStore({ dir: '/nowhere', s3 });
  rig = await apiRig({ redisTimeoutMs: 5_000, store, now: () => now });
  openai = new OpenAI({ baseURL: `${rig.origin}/v1`, apiKey: KEYS.alice, maxRetries: 0 });
  redis = openRedis(rig.tasks.redisUrl);
  const settings = fileSettings(rig.config);
  sweeper = createFileStore({ redis, prefix: rig.config.redis.prefix, content: store, settings, now: () => now });
});
afterAll(async () => {
  redis.disconnect();
  await rig.close();
  await server.close();
});

/** Counts the objects in the bucket. */
async function objects(): Promise<number> {
  const entries = await readdir(path.dirname(server.fileOf('a')), { recursive: true });
  return entries.filter((name) => name.endsWith('_S3rver_object')).length;
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/** Uploads content in parts, which are sent in parallel. */
async function uploadParts(parts: readonly Buffer[]): Promise<string> {
  const content = Buffer.concat(parts);
  const params = { bytes: content.length, filename: 'a.bin', mime_type: 'application/octet-stream' } as const;
  const { id } = await openai.uploads.create({ ...params, purpose: 'user_data' });
  const added = await Promise.all(
    parts.map(async (part) => openai.uploads.parts.create(id, { data: await toFile(part, 'part') })),
  );
  const md5 = createHash('md5').update(content).digest('hex');
  const { file } = await openai.uploads.complete(id, { part_ids: added.map((part) => part.id), md5 });
  return file?.id ?? '';
}

describe('files in S3', () => {
  it('are made of parts, and read as one', async () => {
    // The first part is larger than a part of S3.
    const parts = [randomBytes(6 * MIB + 1), randomBytes(3), randomBytes(MIB)];
    const content = Buffer.concat(parts);
    const id = await uploadParts(parts);
    expect(await objects()).toBe(3);
    const whole = await openai.files.content(id);
    expect(whole.headers.get('content-length')).toBe(String(content.length));
    expect((await bytesOf(whole)).equals(content)).toBe(true);
    const [first = Buffer.alloc(0)] = parts;
    for (const [start, end] of [
      [first.length - 2, first.length + 5],
      [first.length, first.length + 2],
      [content.length - 5, content.length - 1],
    ] as const) {
      const range = await openai.files.content(id, { headers: { range: `bytes=${start}-${end}` } });
      expect([range.status, range.redirected]).toEqual([206, false]);
      expect((await bytesOf(range)).equals(content.subarray(start, end + 1))).toBe(true);
    }
    await openai.files.delete(id);
    await sweeper.sweep();
    expect(await objects()).toBe(0);
  });

  it('are sent by the store if they have one part', async () => {
    const content = randomBytes(6 * MIB);
    const { id } = await openai.files.create({ file: await toFile(content, 'a.bin'), purpose: 'user_data' });
    const response = await openai.files.content(id);
    expect([response.redirected, new URL(response.url).origin]).toEqual([true, server.endpoint]);
    expect((await bytesOf(response)).equals(content)).toBe(true);
    await openai.files.delete(id);
    await sweeper.sweep();
    expect(await objects()).toBe(0);
  });

  it('are uploaded by resumable uploads', async () => {
    const google = new GoogleGenAI({ apiKey: KEYS.alice, httpOptions: { baseUrl: rig.origin } });
    const content = randomBytes(9 * MIB);
    const { name = '' } = await google.files.upload({ file: new Blob([content], { type: 'application/pdf' }) });
    expect(await objects()).toBeGreaterThan(1);
    const response = await openai.files.content(`file-${name.slice('files/'.length)}`);
    expect((await bytesOf(response)).equals(content)).toBe(true);
    await google.files.delete({ name });
    await sweeper.sweep();
    expect(await objects()).toBe(0);
  });

  it('are not stored if they are refused', async () => {
    const refused = openai.files.create({ file: await toFile(randomBytes(9), 'a.bin'), purpose: 'vision' });
    await expect(refused).rejects.toMatchObject({ status: 400 });
    expect(await objects()).toBe(0);
  });

  it('are removed when they or their uploads expire', async () => {
    const params = { bytes: 9, filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data' } as const;
    const pending = await openai.uploads.create(params);
    await openai.uploads.parts.create(pending.id, { data: await toFile(Buffer.from('abc'), 'part') });
    const id = await uploadParts([randomBytes(2), randomBytes(2)]);
    expect(await objects()).toBe(3);
    now += 2 * 3_600_000;
    await sweeper.sweep();
    expect(await objects()).toBe(2);
    now += 31 * DAY_MS;
    await expect(openai.files.content(id)).rejects.toMatchObject({ status: 404 });
    await sweeper.sweep();
    expect(await objects()).toBe(0);
  });
});
