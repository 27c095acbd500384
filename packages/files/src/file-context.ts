import type { RandomBytes } from '@sluice/canonical';
import type { ContentStore, WrittenBlob } from '@sluice/content';
import type { Redis } from 'ioredis';
import type { FileKeys } from './file-keys.ts';
import type { FileSettings } from './file-settings.ts';

export interface FileContext {
  redis: Redis;
  keys: FileKeys;
  content: ContentStore;
  settings: FileSettings;
  now: () => number;
  randomBytes: RandomBytes;
}

/** Content that no file contains yet. */
export interface WrittenContent extends WrittenBlob {
  key: string;
}

/** Content that no file contains within this time is removed. No upload takes longer. */
const UNUSED_MS = 24 * 60 * 60_000;

/**
 * Streams content to the content store. It is recorded as garbage first, so that it is removed if this process ends
 * before a file contains it.
 */
export async function writeContent(
  { redis, keys, content, now, randomBytes }: FileContext,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<WrittenContent> {
  const key = `files/${Buffer.from(randomBytes(16)).toString('hex')}`;
  await redis.zadd(keys.garbage, now() + UNUSED_MS, key);
  return { key, ...(await content.write(key, source, maxBytes, signal)) };
}
