import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  type FileObject,
  type FilePurpose,
  type FileUpload,
  isFileId,
  type RandomBytes,
  sortableDigits,
} from '@sluice/canonical';
import type { ByteRange, ContentStore } from '@sluice/content';
import type { Redis } from 'ioredis';
import { type FileContext, writeContent, type WrittenContent } from './file-context.ts';
import { contentGone, fileNotFound, guarded, quotaReached } from './file-errors.ts';
import { FILE_FIELDS, fieldsOf, parseFile } from './file-fields.ts';
import { createFileKeys } from './file-keys.ts';
import { type FilePart, openParts } from './file-parts.ts';
import { defineFileScripts } from './file-scripts.ts';
import { type FileSettings, lifetimeOf } from './file-settings.ts';
import { type FileSearch, type FoundFiles, searchFiles } from './search-files.ts';
import { createVendorCopies, type VendorCopies } from './vendor-copies.ts';
import { type UploadParams, type UploadPart, UploadStore } from './upload-store.ts';

export interface FileParams extends Pick<FileObject, 'filename' | 'mediaType' | 'purpose'> {
  /** Time after which the file expires, at most the retention of all files, which is the default. */
  lifetimeMs?: number;
}

export interface FileListing {
  purpose?: FilePurpose;
  /** The page starts after the file with this id, which may have been deleted. */
  after?: string;
  /** The page ends before the file with this id. Ignored if `after` is set. */
  before?: string;
  order: 'asc' | 'desc';
  limit: number;
}

/** Counts of all files of a deployment. */
export interface FileStats {
  /** Unfinished uploads count. */
  files: number;
  bytes: number;
  created: number;
}

export interface FilePage {
  files: FileObject[];
  hasMore: boolean;
}

/**
 * Files of clients. Content is streamed, never in memory. Every method throws `GatewayError('store_unavailable')` while
 * Redis is unavailable, and {ContentUnavailableError} while the content store is. An owner sees only its own files: for
 * files of others, methods throw `GatewayError('file_not_found')`, or `upload_not_found`.
 */
export interface FileStore {
  /**
   * Streams content to the store. A sweep removes it after a day unless a file or a part contains it.
   * @throws {ContentTooLargeError} above `maxBytes`; rethrows the source's error
   */
  write(source: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal): Promise<WrittenContent>;
  /** Removes written content that no file or part contains. Never throws. */
  discard(content: Pick<WrittenContent, 'key'>): Promise<void>;
  /** Keeps written content that no file contains for this time, instead of a day. */
  retain(content: Pick<WrittenContent, 'key'>, ms: number): Promise<void>;
  /** Opens written content, or a range of its bytes. @throws {ContentMissingError} */
  openWritten(content: Pick<WrittenContent, 'key' | 'bytes'>, range?: ByteRange): Promise<Readable>;
  /** Makes a file of written content. @throws GatewayError `storage_quota_exceeded` */
  create(ownerId: string, params: FileParams, content: WrittenContent): Promise<FileObject>;
  /** Checks the quota before content is written. @throws GatewayError `storage_quota_exceeded` */
  checkQuota(ownerId: string, bytes: number): Promise<void>;
  find(ownerId: string, id: string): Promise<FileObject>;
  list(ownerId: string, listing: FileListing): Promise<FilePage>;
  /** Deletes a file. A sweep removes its content. */
  remove(ownerId: string, id: string): Promise<void>;
  /**
   * Keeps the content of a file for this time, although the file may expire or be deleted before.
   * @returns the content, for `openPinned`
   */
  pin(ownerId: string, id: string, ms: number): Promise<readonly FilePart[]>;
  /** Opens content that was pinned, or a range of its bytes. @throws {ContentMissingError} */
  openPinned(parts: readonly FilePart[], range?: ByteRange): Promise<Readable>;
  /** Opens a file, or a range of its bytes. Destroying the stream releases it. @throws {ContentMissingError} */
  open(id: string, range?: ByteRange): Promise<Readable>;
  /** Returns the key of the content of a file that is stored as one blob. */
  contentKey(id: string): Promise<string | undefined>;

  /** Starts a file that is written in parts. @throws GatewayError `storage_quota_exceeded` */
  createUpload(ownerId: string, params: UploadParams): Promise<FileUpload>;
  findUpload(ownerId: string, id: string): Promise<FileUpload>;
  /**
   * Makes a part of written content. A part with the same name is replaced, so a writer that repeats its work after a
   * crash does not duplicate it.
   */
  addPart(ownerId: string, uploadId: string, content: WrittenContent, name: string): Promise<UploadPart>;
  /**
   * Makes a file of the parts. Can be repeated: the result stays the same for a day.
   * @param names the parts in their order. By default, all parts, sorted by name.
   * @param mediaType the actual media type, if the declared one is wrong
   */
  completeUpload(ownerId: string, uploadId: string, names?: readonly string[], mediaType?: string): Promise<FileObject>;
  /** Opens the content of parts of a pending upload, in this order. By default, all parts, sorted by name. */
  openParts(ownerId: string, uploadId: string, names?: readonly string[]): Promise<Readable>;
  cancelUpload(ownerId: string, uploadId: string): Promise<FileUpload>;
  search(search: FileSearch): Promise<FoundFiles>;
  copies: VendorCopies;
  stats(): Promise<FileStats>;
  /** Removes files and uploads that have expired, and content that no file contains. Any process may call it. */
  sweep(): Promise<void>;
}

export interface FileStoreOptions {
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  content: ContentStore;
  settings: FileSettings;
  now?: () => number;
  randomBytes?: RandomBytes;
}

/** Number of files or blobs that a sweep handles per step. */
const SWEPT = 100;

export function createFileStore(options: FileStoreOptions): FileStore {
  const { redis, content, settings, now = Date.now, randomBytes = systemRandomBytes } = options;
  const keys = createFileKeys(options.prefix);
  const context: FileContext = { redis, keys, content, settings, now, randomBytes };
  defineFileScripts(redis);
  const uploads = new UploadStore(context);
  const write: FileStore['write'] = (source, maxBytes, signal) => writeContent(context, source, maxBytes, signal);
  const find = (ownerId: string, id: string) => findFile(context, ownerId, id);
  const partsOf = (id: string) => readParts(context, id);
  return {
    write,
    discard: (written) => discardContent(context, written),
    retain: ({ key }, ms) =>
      guarded(async () => {
        await redis.zadd(keys.garbage, 'XX', now() + ms, key);
      }),
    openWritten: ({ key, bytes }, range) => openParts(content, [[key, bytes]], range),
    create: (ownerId, params, written) => guarded(() => createFile(context, ownerId, params, written)),
    checkQuota: (ownerId, bytes) => guarded(() => checkQuota(context, ownerId, bytes)),
    find: (ownerId, id) => guarded(() => find(ownerId, id)),
    list: (ownerId, listing) =>
      guarded(async () => {
        await uploads.expire(SWEPT);
        return listFiles(context, ownerId, listing);
      }),
    remove: (ownerId, id) =>
      guarded(async () => {
        await find(ownerId, id);
        await redis.filesRemove(keys.prefix, id, ownerId, now());
      }),
    pin: (ownerId, id, ms) =>
      guarded(async () => {
        const parts = await redis.filesPin(keys.prefix, id, ownerId, now() + ms);
        if (parts === null) throw fileNotFound();
        return partsIn(parts);
      }),
    openPinned: (parts, range) => openParts(content, parts, range),
    open: async (id, range) => openParts(content, await guarded(() => partsOf(id)), range),
    async contentKey(id) {
      const [only, ...more] = await guarded(() => partsOf(id));
      return more.length === 0 ? only?.[0] : undefined;
    },
    createUpload: (ownerId, params) => guarded(() => uploads.create(ownerId, params)),
    findUpload: (ownerId, id) => guarded(() => uploads.find(ownerId, id)),
    addPart: (ownerId, id, written, name) => guarded(() => uploads.addPart(ownerId, id, written, name)),
    completeUpload: (ownerId, id, names, mediaType) =>
      guarded(async () => {
        await uploads.find(ownerId, id);
        const named = names ?? (await uploads.partNames(id));
        return find(ownerId, await uploads.complete(ownerId, id, named, mediaType));
      }),
    openParts: async (ownerId, id, names) => openParts(content, await guarded(() => uploads.parts(ownerId, id, names))),
    cancelUpload: (ownerId, id) =>
      guarded(async () => {
        const upload = await uploads.find(ownerId, id);
        await uploads.cancel(ownerId, id);
        return { ...upload, status: 'cancelled' };
      }),
    search: (search) => guarded(() => searchFiles(context, search)),
    copies: createVendorCopies(context),
    stats: () => guarded(() => readStats(context)),
    async sweep() {
      while ((await uploads.expire(SWEPT)) === SWEPT);
      await collectGarbage(context);
    },
  };
}

/** If this fails, a later sweep removes the content. */
async function discardContent({ redis, keys, content }: FileContext, { key }: Pick<WrittenContent, 'key'>) {
  try {
    // If the reply of Redis was lost, a file or a part can contain it although the caller received an error.
    if ((await redis.zscore(keys.garbage, key)) === null) return;
    await content.remove(key);
    await redis.zrem(keys.garbage, key);
  } catch {
    // The sweep repeats it.
  }
}

async function createFile(
  context: FileContext,
  ownerId: string,
  params: FileParams,
  written: WrittenContent,
): Promise<FileObject> {
  const { redis, keys, now, randomBytes } = context;
  const { filename, mediaType, purpose, lifetimeMs } = params;
  const settings = context.settings;
  const createdAt = now();
  const id = `file-${sortableDigits(createdAt, randomBytes)}`;
  const expiresAt = String(createdAt + lifetimeOf(settings, lifetimeMs));
  const { key, bytes, sha256 } = written;
  const fields = {
    id,
    owner: ownerId,
    filename,
    mediaType,
    purpose,
    bytes: String(bytes),
    createdAt: String(createdAt),
    expiresAt,
    etag: sha256,
    sha256,
    parts: JSON.stringify([[key, bytes] satisfies FilePart]),
  };
  const limits = [settings.ownerFiles, settings.ownerBytes];
  const args = [id, ownerId, purpose, bytes, expiresAt, key, ...limits, ...Object.entries(fields).flat()];
  const result = await redis.filesCreate(keys.prefix, ...args);
  if (result === 'quota') throw quotaReached(settings);
  if (result === 'gone') throw contentGone();
  return parseFile(fields);
}

async function checkQuota({ redis, keys, ...context }: FileContext, ownerId: string, bytes: number): Promise<void> {
  const settings = context.settings;
  const [files, used] = await redis.hmget(keys.usage(ownerId), 'files', 'bytes');
  if (Number(files ?? 0) >= settings.ownerFiles || Number(used ?? 0) + bytes > settings.ownerBytes) {
    throw quotaReached(settings);
  }
}

async function findFile({ redis, keys, now }: FileContext, ownerId: string, id: string): Promise<FileObject> {
  if (!isFileId(id)) throw fileNotFound();
  const [owner, ...values] = await redis.hmget(keys.file(id), 'owner', ...FILE_FIELDS);
  if (owner !== ownerId) throw fileNotFound();
  const file = parseFile(fieldsOf(FILE_FIELDS, values));
  if (file.expiresAt <= now()) throw fileNotFound();
  return file;
}

async function listFiles({ redis, keys }: FileContext, ownerId: string, listing: FileListing): Promise<FilePage> {
  const { purpose = '', after, before, order, limit } = listing;
  // The page before a file is read backward from it.
  const isBackward = after === undefined && before !== undefined;
  const isDescending = (order === 'desc') !== isBackward;
  const args = [ownerId, purpose, after ?? before ?? '', isDescending ? '1' : '0', limit + 1, ...FILE_FIELDS];
  const listed = await redis.filesList(keys.prefix, ...args);
  const files = listed.map((values) => parseFile(fieldsOf(FILE_FIELDS, values)));
  const page = files.slice(0, limit);
  return { files: isBackward ? page.toReversed() : page, hasMore: files.length > limit };
}

async function readParts({ redis, keys }: FileContext, id: string): Promise<FilePart[]> {
  const parts = await redis.hget(keys.file(id), 'parts');
  if (parts === null) throw fileNotFound();
  return partsIn(parts);
}

function partsIn(text: string): FilePart[] {
  return JSON.parse(text) as FilePart[]; // The cast is safe because only this package writes the record.
}

async function readStats({ redis, keys }: FileContext): Promise<FileStats> {
  const totals = await redis.hmget(keys.totals, 'files', 'bytes', 'created');
  const [files = 0, bytes = 0, created = 0] = totals.map((total) => Math.max(0, Number(total ?? 0)));
  return { files, bytes, created };
}

async function collectGarbage({ redis, keys, content, now }: FileContext): Promise<void> {
  for (;;) {
    const due = await redis.zrange(keys.garbage, '-inf', String(now()), 'BYSCORE', 'LIMIT', 0, SWEPT);
    for (const key of due) {
      await content.remove(key);
      await redis.zrem(keys.garbage, key);
    }
    if (due.length < SWEPT) return;
  }
}
