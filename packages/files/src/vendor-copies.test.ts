import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalContentStore } from '@sluice/content';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileStore, type FileStore } from './file-store.ts';
import type { CopyPlace, VendorCopies } from './vendor-copies.ts';

const HOUR_MS = 3_600_000;

let dir: string;
let redis: Redis;
let prefix: string;
let files: FileStore;
let copies: VendorCopies;
let now: number;
let place: CopyPlace;
let expiresAt: number;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-copies-'));
  const run = testRedis();
  redis = openRedis(run.redisUrl);
  ({ prefix } = run);
  now = Date.now();
  const settings = { ownerBytes: 100, ownerFiles: 3, partedBytes: 60, retentionMs: 10 * HOUR_MS };
  files = createFileStore({ redis, prefix, content: createLocalContentStore(dir), settings, now: () => now });
  ({ copies } = files);
  const params = { filename: 'a.pdf', mediaType: 'application/pdf', purpose: 'user_data' } as const;
  const file = await files.create('alice', params, await files.write(bytes(), 9));
  place = { fileId: file.id, account: 'openai.one#12345678' };
  ({ expiresAt } = file);
});
afterEach(async () => {
  redis.disconnect();
  await rm(dir, { recursive: true, force: true });
});

async function* bytes() {
  yield Buffer.from('a');
}

async function claimed(): Promise<string> {
  const claim = await copies.claim(place);
  if (claim.state !== 'claimed') throw new Error(`the claim is ${claim.state}`);
  return claim.token;
}

async function record(id: string, token: string): Promise<void> {
  const copy = { id, usableUntil: now + HOUR_MS, expiresAt: now + 2 * HOUR_MS };
  await copies.record(place, token, copy, expiresAt);
}

const listed = () => copies.claimAbandoned(9, now + HOUR_MS);

describe('copies at vendors', () => {
  it('are claimed by one request at a time', async () => {
    const token = await claimed();
    expect(await copies.claim(place)).toEqual({ state: 'busy' });
    expect(await copies.claim({ ...place, account: 'openai.two#12345678' })).toMatchObject({ state: 'claimed' });
    await copies.release(place, 'another');
    expect(await copies.claim(place)).toEqual({ state: 'busy' });
    await copies.release(place, token);
    await record('vendor-1', await claimed());
    expect(await copies.claim(place)).toEqual({ state: 'copy', id: 'vendor-1' });
  });

  it('can be claimed by another request if a claim is not renewed', async () => {
    const token = await claimed();
    const [key = ''] = await redis.keys(`{${prefix}}:files:claim:*`);
    await redis.pexpire(key, 500);
    await copies.renew(place, token);
    expect(await redis.pttl(key)).toBeGreaterThan(10_000);
    await redis.del(key);
    expect(await copies.claim(place)).toMatchObject({ state: 'claimed' });
  });

  it('are uploaded again when they are no longer usable', async () => {
    await record('vendor-1', await claimed());
    now += HOUR_MS;
    await record('vendor-2', await claimed());
    expect(await copies.claim(place)).toEqual({ state: 'copy', id: 'vendor-2' });
    expect(await listed()).toMatchObject([{ id: 'vendor-1' }]);
  });

  it('are abandoned after a refusal only if they were not replaced', async () => {
    await record('vendor-2', await claimed());
    await copies.forget(place, 'vendor-1');
    expect(await copies.claim(place)).toEqual({ state: 'copy', id: 'vendor-2' });
    expect(await listed()).toEqual([]);
    await copies.forget(place, 'vendor-2');
    expect(await copies.claim(place)).toMatchObject({ state: 'claimed' });
    expect(await listed()).toMatchObject([{ id: 'vendor-2', account: place.account }]);
  });

  it.each(['deleted', 'expired'])('are abandoned when their file is %s', async (how) => {
    await record('vendor-1', await claimed());
    if (how === 'deleted') await files.remove('alice', place.fileId);
    else now += 10 * HOUR_MS;
    await files.sweep();
    const [copy, ...more] = await listed();
    expect(copy).toMatchObject({ id: 'vendor-1', account: place.account });
    expect(more).toEqual([]);
    if (!copy) return;
    expect(await listed()).toEqual([]);
    now += HOUR_MS;
    expect(await listed()).toEqual([copy]);
    await copies.dropAbandoned(copy);
    expect(await redis.keys(`{${prefix}}*`)).toEqual([`{${prefix}}:files:totals`]);
  });

  it('are abandoned at once if their file was deleted during the upload', async () => {
    const token = await claimed();
    await files.remove('alice', place.fileId);
    await record('vendor-1', token);
    expect(await listed()).toMatchObject([{ id: 'vendor-1' }]);
  });
});
