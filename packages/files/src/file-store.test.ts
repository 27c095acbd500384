import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalContentStore } from '@sluice/content';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileSettings } from './file-settings.ts';
import { createFileStore, type FileStore } from './file-store.ts';
import { startFileSweeper } from './sweep-files.ts';

const HOUR_MS = 3_600_000;
const SETTINGS: FileSettings = { ownerBytes: 100, ownerFiles: 3, partedBytes: 60, retentionMs: 10 * HOUR_MS };
const text = { filename: 'a.txt', mediaType: 'text/plain', purpose: 'user_data' } as const;

let dir: string;
let redis: Redis;
let prefix: string;
let files: FileStore;
let now: number;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-files-'));
  const run = testRedis();
  redis = openRedis(run.redisUrl);
  ({ prefix } = run);
  now = 1_700_000_000_000;
  files = open();
});
afterEach(async () => {
  redis.disconnect();
  await rm(dir, { recursive: true, force: true });
});

/** Opens the store as another process does. */
function open(settings: Partial<FileSettings> = {}): FileStore {
  const content = createLocalContentStore(dir);
  return createFileStore({ redis, prefix, content, settings: { ...SETTINGS, ...settings }, now: () => now });
}

async function* bytesOf(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const write = (...chunks: string[]) => files.write(bytesOf(...chunks), 1_000);
const create = async (content: string, params: Partial<Parameters<FileStore['create']>[1]> = {}, owner = 'alice') => {
  now += 1;
  return files.create(owner, { ...text, ...params }, await write(content));
};
const addPart = async (id: string, name: string, content: string) =>
  files.addPart('alice', id, await write(content), name);
const startUpload = (params: Partial<Parameters<FileStore['createUpload']>[1]> = {}) =>
  files.createUpload('alice', { ...text, pendingMs: HOUR_MS, ...params });

async function read(id: string, range?: { start: number; end: number }): Promise<string> {
  const chunks = await (await files.open(id, range)).toArray();
  return Buffer.concat(chunks as Buffer[]).toString();
}

async function blobs(): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

const usage = () => redis.hgetall(`{${prefix}}:files:usage:alice`);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('files', () => {
  it('stores, returns, reads, and deletes a file', async () => {
    const file = await create('hello world');
    const sha256 = createHash('sha256').update('hello world').digest('hex');
    const times = { createdAt: now, expiresAt: now + 10 * HOUR_MS };
    expect(file).toEqual({ ...text, id: file.id, bytes: 11, etag: sha256, sha256, ...times });
    expect(file.id).toMatch(/^file-[0-9a-z]{25}$/);
    expect(await files.find('alice', file.id)).toEqual(file);
    expect(await read(file.id)).toBe('hello world');
    expect(await read(file.id, { start: 6, end: 8 })).toBe('wor');
    expect(await usage()).toEqual({ files: '1', bytes: '11' });
    await files.remove('alice', file.id);
    await expect(files.find('alice', file.id)).rejects.toEqual(code('file_not_found'));
    await expect(files.remove('alice', file.id)).rejects.toEqual(code('file_not_found'));
    expect(await usage()).toEqual({});
    await files.sweep();
    expect(await blobs()).toBe(0);
    expect(await redis.keys(`{${prefix}}*`)).toEqual([`{${prefix}}:files:totals`]);
    expect(await files.stats()).toEqual({ files: 0, bytes: 0, created: 1 });
  });

  it('keeps pinned content of a file that is deleted or expires, for the longest time', async () => {
    const deleted = await create('hello world');
    const expiring = await create('bye', { lifetimeMs: HOUR_MS });
    const parts = await files.pin('alice', deleted.id, 3 * HOUR_MS);
    await files.pin('alice', deleted.id, HOUR_MS);
    await files.pin('alice', expiring.id, 3 * HOUR_MS);
    await files.remove('alice', deleted.id);
    now += 2 * HOUR_MS;
    await files.sweep();
    expect([await usage(), await blobs()]).toEqual([{}, 2]);
    const chunks = (await (await files.openPinned(parts, { start: 6, end: 8 })).toArray()) as Buffer[];
    expect(Buffer.concat(chunks).toString()).toBe('wor');
    await expect(files.pin('alice', deleted.id, HOUR_MS)).rejects.toEqual(code('file_not_found'));
    now += 2 * HOUR_MS;
    await files.sweep();
    expect(await blobs()).toBe(0);
  });

  it('hides the files of other owners', async () => {
    const { id } = await create('mine');
    await expect(files.find('bob', id)).rejects.toEqual(code('file_not_found'));
    await expect(files.remove('bob', id)).rejects.toEqual(code('file_not_found'));
    await expect(files.pin('bob', id, HOUR_MS)).rejects.toEqual(code('file_not_found'));
    expect((await files.list('bob', { order: 'asc', limit: 9 })).files).toEqual([]);
    expect(await read(id)).toBe('mine');
  });

  it('counts files that are older than the counts', async () => {
    await create('hello');
    const { id } = await create('bye');
    await addPart((await startUpload()).id, 'part', 'part');
    await redis.del(`{${prefix}}:files:totals`);
    await files.remove('alice', id);
    expect(await files.stats()).toEqual({ files: 2, bytes: 9, created: 2 });
  });

  it('lists files page by page, also after a deleted file', async () => {
    const one = await create('1');
    const two = await create('2', { purpose: 'batch' });
    const three = await create('3');
    const ids = async (listing: Partial<Parameters<FileStore['list']>[1]>) => {
      const page = await files.list('alice', { order: 'asc', limit: 2, ...listing });
      return [page.files.map(({ id }) => id), page.hasMore];
    };
    expect(await ids({})).toEqual([[one.id, two.id], true]);
    expect(await ids({ after: two.id })).toEqual([[three.id], false]);
    expect(await ids({ order: 'desc' })).toEqual([[three.id, two.id], true]);
    expect(await ids({ order: 'desc', after: two.id })).toEqual([[one.id], false]);
    expect(await ids({ before: three.id })).toEqual([[one.id, two.id], false]);
    expect(await ids({ before: three.id, limit: 1 })).toEqual([[two.id], true]);
    expect(await ids({ order: 'desc', before: one.id })).toEqual([[three.id, two.id], false]);
    expect(await ids({ purpose: 'batch' })).toEqual([[two.id], false]);
    await files.remove('alice', two.id);
    expect(await ids({ after: two.id })).toEqual([[three.id], false]);
  });

  it('limits the files and the bytes of an owner', async () => {
    await create('x'.repeat(60));
    await expect(files.checkQuota('alice', 41)).rejects.toEqual(code('storage_quota_exceeded'));
    await files.checkQuota('alice', 40);
    const content = await write('x'.repeat(41));
    await expect(files.create('alice', text, content)).rejects.toEqual(code('storage_quota_exceeded'));
    await files.discard(content);
    await create('x'.repeat(60), {}, 'bob');
    await create('2');
    await create('3');
    await expect(create('4')).rejects.toEqual(code('storage_quota_exceeded'));
    await expect(files.checkQuota('alice', 0)).rejects.toEqual(code('storage_quota_exceeded'));
    await expect(startUpload()).rejects.toEqual(code('storage_quota_exceeded'));
    expect(await usage()).toEqual({ files: '3', bytes: '62' });
    expect(await files.stats()).toEqual({ files: 4, bytes: 122, created: 4 });
  });

  it('expires files after their lifetime, at most the retention', async () => {
    const short = await create('s', { lifetimeMs: HOUR_MS });
    const long = await create('l', { lifetimeMs: 99 * HOUR_MS });
    expect(long.expiresAt - long.createdAt).toBe(10 * HOUR_MS);
    now = short.expiresAt;
    await expect(files.find('alice', short.id)).rejects.toEqual(code('file_not_found'));
    expect((await files.list('alice', { order: 'asc', limit: 9 })).files).toEqual([long]);
    now = long.expiresAt;
    await files.sweep();
    expect(await usage()).toEqual({});
    expect(await blobs()).toBe(0);
  });

  it('removes content that no file contains after a day, and refuses it then', async () => {
    const used = await create('used');
    const unused = await write('unused');
    await files.sweep();
    expect(await blobs()).toBe(2);
    now += 24 * HOUR_MS;
    await open({ retentionMs: 100 * HOUR_MS }).sweep();
    await expect(files.create('alice', text, unused)).rejects.toEqual(code('store_unavailable'));
    expect(await blobs()).toBe(0);
    await expect(files.find('alice', used.id)).rejects.toEqual(code('file_not_found'));
  });
});

describe('startFileSweeper', () => {
  it('sweeps again after a failed sweep', async () => {
    const lines: unknown[] = [];
    let sweeps = 0;
    const sweep = () => (sweeps++ === 0 ? Promise.reject(new Error('down')) : files.sweep());
    const sweeper = startFileSweeper({ sweep }, 1, { error: (line: unknown) => void lines.push(line) });
    await expect.poll(() => sweeps).toBeGreaterThan(2);
    await sweeper.close();
    expect(lines).toHaveLength(1);
  });
});

describe('uploads', () => {
  it('makes a file of parts that several processes wrote, in the requested order', async () => {
    const upload = await startUpload({ declaredBytes: 9 });
    expect(upload).toMatchObject({ status: 'pending', bytes: 9, receivedBytes: 0, expiresAt: now + HOUR_MS });
    await addPart(upload.id, 'b', 'def');
    files = open();
    await addPart(upload.id, 'a', 'abc');
    await addPart(upload.id, 'unused', '');
    await addPart(upload.id, 'c', 'ghi');
    const file = await files.completeUpload('alice', upload.id, ['a', 'b', 'c']);
    expect(file).toMatchObject({ ...text, bytes: 9, expiresAt: now + 10 * HOUR_MS });
    expect(file).not.toHaveProperty('sha256');
    expect(await files.completeUpload('alice', upload.id)).toEqual(file);
    expect(await files.findUpload('alice', upload.id)).toMatchObject({ status: 'completed', fileId: file.id });
    expect(await read(file.id)).toBe('abcdefghi');
    expect(await read(file.id, { start: 2, end: 6 })).toBe('cdefg');
    expect(await read(file.id, { start: 6, end: 6 })).toBe('g');
    await files.sweep();
    expect(await blobs()).toBe(3);
    expect(await usage()).toEqual({ files: '1', bytes: '9' });
    await files.remove('alice', file.id);
    await files.sweep();
    expect([await blobs(), await usage()]).toEqual([0, {}]);
  });

  it('keeps the content of a part whose writer has received an error', async () => {
    const { id } = await startUpload();
    const content = await write('abc');
    await files.addPart('alice', id, content, 'a');
    await files.discard(content);
    expect(await read((await files.completeUpload('alice', id)).id)).toBe('abc');
    await files.discard(await write('unused'));
    expect(await blobs()).toBe(1);
  });

  it('replaces a part that a writer repeats, and sorts parts by name', async () => {
    const { id } = await startUpload();
    await addPart(id, '000002', 'second');
    await addPart(id, '000001', 'lost');
    await addPart(id, '000001', 'first ');
    await files.sweep();
    expect([await blobs(), await usage()]).toEqual([2, { files: '1', bytes: '12' }]);
    const file = await files.completeUpload('alice', id, undefined, 'text/markdown');
    expect(file.mediaType).toBe('text/markdown');
    expect(await read(file.id)).toBe('first second');
  });

  it('refuses parts beyond the size of the upload, and a file of another size', async () => {
    const { id } = await startUpload({ declaredBytes: 4 });
    await addPart(id, 'a', 'abc');
    await expect(addPart(id, 'b', 'de')).rejects.toEqual(code('payload_too_large'));
    await expect(files.completeUpload('alice', id, ['a'])).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The upload declared 4 bytes, but its parts have 3 bytes in total. Send all parts.',
    });
    await expect(files.completeUpload('alice', id, ['a', 'a'])).rejects.toEqual(code('invalid_request'));
    await expect(files.completeUpload('alice', id, ['x'])).rejects.toEqual(code('invalid_request'));
    await expect(files.completeUpload('bob', id, ['a'])).rejects.toEqual(code('upload_not_found'));
    const unbounded = await startUpload();
    await expect(addPart(unbounded.id, 'a', 'x'.repeat(61))).rejects.toEqual(code('payload_too_large'));
    expect(await usage()).toEqual({ files: '2', bytes: '3' });
  });

  it('counts parts in the quota, and frees them when the upload is canceled or expires', async () => {
    await create('x'.repeat(90));
    const canceled = await startUpload();
    const expired = await startUpload();
    await expect(addPart(canceled.id, 'a', 'x'.repeat(11))).rejects.toEqual(code('storage_quota_exceeded'));
    await addPart(canceled.id, 'a', 'xxxxx');
    await addPart(expired.id, 'a', 'xxxxx');
    expect(await files.cancelUpload('alice', canceled.id)).toMatchObject({ status: 'cancelled' });
    await expect(addPart(canceled.id, 'b', 'x')).rejects.toEqual(code('invalid_request'));
    await expect(files.completeUpload('alice', canceled.id)).rejects.toEqual(code('invalid_request'));
    now += HOUR_MS;
    expect(await files.findUpload('alice', expired.id)).toMatchObject({ status: 'expired' });
    await expect(addPart(expired.id, 'b', 'x')).rejects.toEqual(code('invalid_request'));
    await expect(files.cancelUpload('alice', expired.id)).rejects.toEqual(code('invalid_request'));
    await files.sweep();
    expect(await files.findUpload('alice', expired.id)).toMatchObject({ status: 'expired' });
    expect(await usage()).toEqual({ files: '1', bytes: '90' });
    now += 24 * HOUR_MS;
  });

  it('returns 503 while Redis is unavailable', async () => {
    const { id } = await create('x');
    redis.disconnect();
    await expect(files.find('alice', id)).rejects.toEqual(code('store_unavailable'));
    await expect(startUpload()).rejects.toEqual(code('store_unavailable'));
  });
});
