import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@sluice/telemetry';
import { type S3Server, startS3Server } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ContentMissingError, type ContentStore, ContentUnavailableError } from './content-store.ts';
import { type ContentSettings, openContentStore } from './open-content-store.ts';
import { type StorageMonitor, startStorageMonitor } from './storage-monitor.ts';

const EVERY_MS = 5;

let dir: string;
let lines: string[];
const monitors: StorageMonitor[] = [];
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-storage-'));
  lines = [];
});
afterEach(async () => {
  for (const monitor of monitors.splice(0)) monitor.close();
  // A probe that is still running may create its file meanwhile.
  await rm(dir, { recursive: true, force: true, maxRetries: 10 });
});

const logger = createLogger({
  level: 'info',
  name: 'test',
  pretty: false,
  // The cast is safe because pino writes this field.
  destination: { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
});

async function start(settings: ContentSettings, change: (store: ContentStore) => ContentStore = (store) => store) {
  const store = change(await openContentStore(settings));
  const monitor = await startStorageMonitor({ store, settings, logger, everyMs: EVERY_MS, timeoutMs: 5_000 });
  monitors.push(monitor);
  return monitor;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('the monitor of a folder', () => {
  it('rejects a configured folder that does not exist, and names the setting', async () => {
    const missing = path.join(dir, 'misspelled');
    await expect(start({ dir: missing, mustExist: true })).rejects.toThrow(
      `Cannot write to the content folder ${missing} (ENOENT). Check that \`content.dir\` names an existing folder`,
    );
  });

  it('creates the default folder, and leaves nothing of its probe', async () => {
    expect((await start({ dir: path.join(dir, 'content') })).isAvailable()).toBe(true);
    expect(await filesBelow(dir)).toEqual([]);
  });

  it('reports a default folder that cannot be created without ending the start', async () => {
    await writeFile(path.join(dir, 'file'), '');
    expect((await start({ dir: path.join(dir, 'file/content') })).isAvailable()).toBe(false);
    expect(lines).toEqual([expect.stringContaining('(ENOTDIR)')]);
  });

  it('reports a folder that vanishes and one that returns, once each', async () => {
    const content = path.join(dir, 'content');
    await mkdir(content);
    const monitor = await start({ dir: content, mustExist: true });
    await rename(content, path.join(dir, 'elsewhere'));
    await expect.poll(() => monitor.isAvailable()).toBe(false);
    await rename(path.join(dir, 'elsewhere'), content);
    await expect.poll(() => monitor.isAvailable()).toBe(true);
    expect(lines).toEqual([expect.stringContaining('(ENOENT)'), 'content store available again']);
  });

  it('reports the files of a vanished folder as unavailable, not as missing', async () => {
    const content = path.join(dir, 'content');
    const store = await openContentStore({ dir: content, mustExist: true });
    await expect(store.open('videos/a.mp4')).rejects.toThrow(ContentUnavailableError);
    await expect(store.check('videos/a.mp4')).rejects.toThrow(ContentUnavailableError);
    await mkdir(content);
    await expect(store.check('videos/a.mp4')).rejects.toThrow(ContentMissingError);
    await store.write('inputs/task/0', once('a'), 1);
    await store.write('inputs/task/1', once('b'), 1);
    expect((await filesBelow(content)).toSorted()).toEqual(['0', '1']);
  });
});

describe('the monitor of a bucket', () => {
  let server: S3Server;
  let s3: NonNullable<ContentSettings['s3']>;
  beforeAll(async () => {
    server = await startS3Server();
    s3 = {
      bucket: server.bucket,
      endpoint: server.endpoint,
      region: 'us-east-1',
      access_key: server.accessKey,
      secret_key: server.secretKey,
      prefix: 'sluice',
      path_style: true,
      redirect: false,
      redirect_ms: 60_000,
    };
  });
  afterAll(() => server.close());

  it('rejects a misspelled bucket and wrong credentials, and names the settings', async () => {
    await expect(start({ dir, s3: { ...s3, bucket: 'medai' } })).rejects.toThrow(
      `Cannot write to the bucket \`medai\` at ${server.endpoint} (NoSuchBucket). Check \`bucket\`, \`endpoint\``,
    );
    await expect(start({ dir, s3: { ...s3, access_key: 'wrong' } })).rejects.toThrow('(InvalidAccessKeyId)');
  });

  it('reports a vanished bucket, and its files as unavailable, not as missing', async () => {
    const vanishing = await startS3Server();
    const settings = { dir, s3: { ...s3, endpoint: vanishing.endpoint } };
    const monitor = await start(settings);
    expect(monitor.isAvailable()).toBe(true);
    await rename(path.dirname(vanishing.fileOf('a')), path.join(dir, 'elsewhere'));
    await expect.poll(() => monitor.isAvailable()).toBe(false);
    const store = await openContentStore(settings);
    await expect(store.check('videos/a.mp4')).rejects.toThrow(ContentUnavailableError);
    monitor.close(); // The monitor's connections would keep the server open.
    await vanishing.close();
  });

  it('waits for a store that cannot be reached', async () => {
    const away = await startS3Server();
    await away.close();
    expect((await start({ dir, s3: { ...s3, endpoint: away.endpoint } })).isAvailable()).toBe(false);
    expect(lines).toEqual([expect.stringContaining('(ECONNREFUSED)')]);
  });
});

function refuse(): Promise<never> {
  return Promise.reject(new ContentUnavailableError(Object.assign(new Error('full'), { code: 'ENOSPC' })));
}

describe('a probe', () => {
  it('counts as failed after its timeout, and the next one waits for its end', async () => {
    const [release, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    const settings = { dir };
    const slow = await openContentStore(settings);
    const store: ContentStore = {
      ...slow,
      async open(key) {
        reads += 1;
        first.resolve();
        await release.promise;
        return slow.open(key);
      },
    };
    const monitor = await startStorageMonitor({ store, settings, logger, everyMs: EVERY_MS, timeoutMs: 50 });
    monitors.push(monitor);
    await first.promise;
    expect([monitor.isAvailable(), reads]).toEqual([false, 1]);
    release.resolve();
    await expect.poll(() => monitor.isAvailable()).toBe(true);
  });

  it.each(['write', 'open', 'remove'] as const)('fails if the store cannot %s', async (method) => {
    const monitor = await start({ dir }, (store) => ({ ...store, [method]: refuse }));
    expect(monitor.isAvailable()).toBe(false);
    expect(lines).toEqual([expect.stringContaining('(ENOSPC)')]);
  });
});
