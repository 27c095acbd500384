import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { ContentTooLargeError } from '@sluice/canonical';
import { type S3Server, startFaultProxy, startS3Server } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ContentMissingError, type ContentStore, ContentUnavailableError } from './content-store.ts';
import { createLocalContentStore } from './local-content-store.ts';
import { openContentStore } from './open-content-store.ts';
import { createS3ContentStore, type S3ContentSettings } from './s3-content-store.ts';

/** A kind of store, with access to its blobs. */
interface Subject {
  store: ContentStore;
  /** Lists the names of all blobs, including unfinished writes. */
  everyBlob(): Promise<string[]>;
  /** Sets the blob's modification time to the epoch. */
  age(key: string): Promise<void>;
  close(): Promise<void>;
}

async function localSubject(): Promise<Subject> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-store-'));
  return {
    store: createLocalContentStore(dir),
    everyBlob: async () => filesBelow(dir),
    age: (key) => utimes(path.join(dir, key), 0, 0),
    close: () => rm(dir, { recursive: true, force: true }),
  };
}

async function s3Subject(): Promise<Subject> {
  const server = await startS3Server();
  const store = await openContentStore({ dir: '/nowhere', s3: bucketOf(server) });
  return {
    store,
    everyBlob: async () => {
      const { Contents = [] } = await rawClient(server).send(new ListObjectsV2Command({ Bucket: server.bucket }));
      return Contents.map(({ Key = '' }) => Key.replace(/^.*\//, ''));
    },
    age: (key) => utimes(server.fileOf(`kept/here/${key}`), 0, 0),
    close: () => server.close(),
  };
}

function bucketOf({ endpoint, bucket, accessKey, secretKey }: S3Server): S3ContentSettings {
  const more = { region: 'us-east-1', prefix: 'kept/here', path_style: true, redirect: false, redirect_ms: 60_000 };
  return { bucket, endpoint, access_key: accessKey, secret_key: secretKey, ...more };
}

function rawClient({ endpoint, accessKey, secretKey }: S3Server): S3Client {
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
  return new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
}

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

async function read(store: ContentStore, key: string, range?: { start: number; end: number }): Promise<string> {
  return Buffer.concat(await (await store.open(key, range)).toArray()).toString();
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe.each([
  ['the local content store', localSubject],
  ['the S3 content store', s3Subject],
])('%s', (_name, openSubject) => {
  let subject: Subject;
  let store: ContentStore;
  beforeAll(async () => {
    subject = await openSubject();
    ({ store } = subject);
  });
  afterAll(() => subject.close());
  afterEach(async () => {
    for (const key of ['a', 'videos/a.mp4', 'tmp/old', 'tmp/young']) await store.remove(key);
  });

  it('returns written bytes with their length and hash', async () => {
    const written = await store.write('videos/a.mp4', source('hello ', 'world'), 100);
    expect(written).toEqual({ bytes: 11, sha256: createHash('sha256').update('hello world').digest('hex') });
    expect(await read(store, 'videos/a.mp4')).toBe('hello world');
  });

  it('returns a range', async () => {
    await store.write('a', source('0123456789'), 100);
    expect(await read(store, 'a', { start: 2, end: 4 })).toBe('234');
    expect(await read(store, 'a', { start: 9, end: 9 })).toBe('9');
  });

  it('preserves a multipart file bit for bit', async () => {
    const part = randomBytes(1024 * 1024);
    async function* long() {
      for (let sent = 0; sent < 20; sent++) yield part;
      yield Buffer.from('end');
    }
    const written = await store.write('a', long(), 2 ** 30);
    expect(written.bytes).toBe(20 * 1024 * 1024 + 3);
    const hash = createHash('sha256');
    // The cast is safe because the store's streams yield bytes.
    for await (const chunk of await store.open('a')) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).toBe(written.sha256);
    expect(await read(store, 'a', { start: written.bytes - 4, end: written.bytes - 1 })).toBe(
      `${part.subarray(-1).toString()}end`,
    );
  });

  it('stores an empty file', async () => {
    expect(await store.write('a', source(), 100)).toMatchObject({ bytes: 0 });
    expect(await read(store, 'a')).toBe('');
  });

  it.each([0, 9])('leaves nothing of a source that fails after %i MiB', async (mebibytes) => {
    async function* broken() {
      for (let sent = 0; sent < mebibytes; sent++) yield Buffer.alloc(1024 * 1024);
      yield* source('half', new Error('reset'));
    }
    await expect(store.write('a', broken(), 2 ** 30)).rejects.toThrow('reset');
    await expect(store.open('a')).rejects.toThrow(ContentMissingError);
    expect(await subject.everyBlob()).toEqual([]);
  });

  it('leaves nothing of a source that exceeds the size limit', async () => {
    await expect(store.write('a', source('12345', '67890', 'x'), 10)).rejects.toThrow(ContentTooLargeError);
    expect(await subject.everyBlob()).toEqual([]);
  });

  it('leaves nothing of an aborted source, even an endless one', async () => {
    await expect(store.write('a', endless(), 1_000_000, AbortSignal.timeout(50))).rejects.toThrow();
    expect(await subject.everyBlob()).toEqual([]);
  });

  it('writes nothing if the signal is already aborted', async () => {
    await expect(store.write('a', source('x'), 100, AbortSignal.abort())).rejects.toThrow();
    expect(await subject.everyBlob()).toEqual([]);
  });

  it('reports whether a blob exists', async () => {
    await store.write('a', source('x'), 100);
    expect(await store.check('a')).toBeUndefined();
    await expect(store.check('videos/a.mp4')).rejects.toThrow(ContentMissingError);
  });

  it('replaces a blob atomically', async () => {
    await store.write('a', source('old'), 100);
    await store.write('a', source('new'), 100);
    expect(await read(store, 'a')).toBe('new');
  });

  it('removes blobs and ignores missing ones', async () => {
    await store.write('a', source('x'), 100);
    await store.remove('a');
    await store.remove('a');
    await expect(store.open('a')).rejects.toThrow(ContentMissingError);
  });

  it('removes only blobs older than the requested age', async () => {
    await store.write('tmp/old', source('x'), 100);
    await store.write('tmp/young', source('x'), 100);
    await store.write('a', source('x'), 100);
    await subject.age('tmp/old');
    await subject.age('a');
    await store.clearOlder('tmp', 60_000);
    expect((await subject.everyBlob()).toSorted()).toEqual(['a', 'young']);
  });

  it('lets a reader disconnect before the end', async () => {
    await store.write('a', source('x'.repeat(1_000_000)), 2_000_000);
    for (let times = 0; times < 20; times++) (await store.open('a')).destroy();
    expect(await read(store, 'a', { start: 0, end: 2 })).toBe('xxx');
  });
});

describe('the local content store', () => {
  it.each(['../outside', '/etc/passwd', 'a/../../b'])('rejects keys outside its folder: %s', async (key) => {
    const subject = await localSubject();
    const { store } = subject;
    await expect(store.open(key)).rejects.toThrow(ContentMissingError);
    await expect(store.write(key, source('x'), 100)).rejects.toThrow(ContentMissingError);
    await subject.close();
  });
});

describe('the local content store', () => {
  it('syncs the folder so that a file name survives a crash', async () => {
    const subject = await localSubject();
    const some = await open(tmpdir(), 'r');
    const sync = vi.spyOn(Object.getPrototypeOf(some) as typeof some, 'sync'); // The prototype of all file handles.
    await some.close();
    try {
      await subject.store.write('videos/a.mp4', source('x'), 100);
      expect(sync).toHaveBeenCalledTimes(2); // The two calls are for `videos` and its parent folder.
      await subject.store.write('videos/b.mp4', source('x'), 100);
      expect(sync).toHaveBeenCalledTimes(3);
    } finally {
      sync.mockRestore();
      await subject.close();
    }
  });
});

describe('the S3 content store', () => {
  it('gives writes a longer timeout than other calls', async () => {
    const server = await startS3Server();
    const proxy = await startFaultProxy({ port: Number(new URL(server.endpoint).port) });
    const settings = { ...bucketOf(server), endpoint: `http://127.0.0.1:${proxy.port}` };
    const store = createS3ContentStore(settings, { responseMs: 500, writeMs: 60_000 });
    proxy.set({ kind: 'late', ms: 700 });
    try {
      expect(await store.write('a', source('x'), 100)).toMatchObject({ bytes: 1 });
      for (const call of ['open', 'check', 'remove'] as const) {
        await expect(store[call]('a')).rejects.toThrow(ContentUnavailableError);
      }
    } finally {
      await proxy.close();
      await server.close();
    }
  }, 60_000);

  it('signs URLs only if redirects are enabled', async () => {
    const server = await startS3Server();
    const settings = bucketOf(server);
    const store = await openContentStore({ dir: '/nowhere', s3: { ...settings, redirect: true } });
    await store.write('videos/a b.mp4', source('0123456789'), 100);
    const url = await store.link?.('videos/a b.mp4', { filename: 'video.mp4', mediaType: 'video/mp4' });
    const response = await fetch(String(url), { headers: { range: 'bytes=2-4' } });
    expect([response.status, await response.text()]).toEqual([206, '234']);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="video.mp4"');
    expect(new URL(String(url)).searchParams.get('X-Amz-Expires')).toBe('60');
    const plain = await openContentStore({ dir: '/nowhere', s3: settings });
    expect(Object.keys(plain)).not.toContain('link');
    await server.close();
  });

  it('reports an unavailable store, not a missing file, if the store refuses or cannot be reached', async () => {
    const server = await startS3Server();
    const wrong = await openContentStore({ dir: '/nowhere', s3: { ...bucketOf(server), bucket: 'no-such-bucket' } });
    const refused = await wrong.open('a').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ContentUnavailableError);
    await server.close();
    const store = await openContentStore({ dir: '/nowhere', s3: bucketOf(server) });
    const failed = await store.open('a').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ContentUnavailableError);
    await expect(store.write('a', source('x'), 100)).rejects.toThrow(ContentUnavailableError);
    await expect(store.check('a')).rejects.toThrow(ContentUnavailableError);
    await expect(store.remove('a')).rejects.toThrow(ContentUnavailableError);
  }, 60_000);
});
