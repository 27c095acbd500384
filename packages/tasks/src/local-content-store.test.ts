import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContentMissingError, type ContentStore, ContentTooLargeError } from './content-store.ts';
import { createLocalContentStore } from './local-content-store.ts';

let dir: string;
let store: ContentStore;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-store-'));
  store = createLocalContentStore(dir);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function* source(...chunks: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield Buffer.from(chunk);
  }
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield Buffer.from('x');
  }
}

async function read(key: string, range?: { start: number; end: number }): Promise<string> {
  return Buffer.concat(await (await store.open(key, range)).toArray()).toString();
}

async function everyFile(): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('the local content store', () => {
  it('gives back what was written, with its length and hash', async () => {
    const written = await store.write('videos/a.mp4', source('hello ', 'world'), 100);
    expect(written).toEqual({ bytes: 11, sha256: createHash('sha256').update('hello world').digest('hex') });
    expect(await read('videos/a.mp4')).toBe('hello world');
  });

  it('gives back a part', async () => {
    await store.write('a', source('0123456789'), 100);
    expect(await read('a', { start: 2, end: 4 })).toBe('234');
  });

  it('leaves nothing of a source that breaks off', async () => {
    await expect(store.write('a', source('half', new Error('reset')), 100)).rejects.toThrow('reset');
    await expect(store.open('a')).rejects.toThrow(ContentMissingError);
    expect(await everyFile()).toEqual([]);
  });

  it('leaves nothing of a source that is too large', async () => {
    await expect(store.write('a', source('12345', '67890', 'x'), 10)).rejects.toThrow(ContentTooLargeError);
    expect(await everyFile()).toEqual([]);
  });

  it('leaves nothing of a source that is given up, even one that never ends', async () => {
    await expect(store.write('a', endless(), 1_000_000, AbortSignal.timeout(50))).rejects.toThrow();
    expect(await everyFile()).toEqual([]);
  });

  it('replaces a blob as a whole', async () => {
    await store.write('a', source('old'), 100);
    await store.write('a', source('new'), 100);
    expect(await read('a')).toBe('new');
  });

  it('removes, and does not mind what is gone', async () => {
    await store.write('a', source('x'), 100);
    await store.remove('a');
    await store.remove('a');
    await expect(store.open('a')).rejects.toThrow(ContentMissingError);
  });

  it('clears away what is older than asked, and nothing younger', async () => {
    const tmp = path.join(dir, 'tmp');
    await mkdir(tmp);
    await writeFile(path.join(tmp, 'old'), 'half');
    await utimes(path.join(tmp, 'old'), 0, 0);
    await writeFile(path.join(tmp, 'young'), 'half');
    await store.clearOlder('tmp', 60_000);
    expect(await everyFile()).toEqual(['young']);
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b'])('never leaves its folder for %s', async (key) => {
    await expect(store.open(key)).rejects.toThrow(ContentMissingError);
    await expect(store.write(key, source('x'), 100)).rejects.toThrow(ContentMissingError);
  });
});
