import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** An inclusive range of bytes, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface WrittenBlob {
  bytes: number;
  /** Hexadecimal SHA-256 of the bytes. */
  sha256: string;
}

interface SignedFile {
  filename: string;
  mediaType: string;
}

/** Stores blobs. A blob is either complete or does not exist. Every method may throw {ContentUnavailableError}. */
export interface ContentStore {
  /**
   * Writes a blob. The blob becomes visible when the source ends.
   * @throws {ContentTooLargeError} above `maxBytes`; rethrows the source's error
   */
  write(key: string, source: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal): Promise<WrittenBlob>;
  /** Opens a blob. Destroying the stream releases the file or connection. @throws {ContentMissingError} */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Opens a blob's file, which the caller must close. Absent if blobs are not files. @throws {ContentMissingError} */
  openFile?(key: string): Promise<FileHandle>;
  /** @throws {ContentMissingError} */
  check(key: string): Promise<void>;
  /** Returns a temporary signed URL of a blob. Absent if clients cannot reach the store or redirects are disabled. */
  link?(key: string, as: SignedFile): Promise<string>;
  remove(key: string): Promise<void>;
  /** Removes a folder's blobs that are older than `ageMs`. The folder `tmp` holds unfinished writes. */
  clearOlder(folder: string, ageMs: number): Promise<void>;
}

/** Removes blobs that no record references. Ignores errors, because a later cleanup removes old files. */
export async function discardContent(store: Pick<ContentStore, 'remove'>, keys: readonly string[]): Promise<void> {
  await Promise.allSettled(keys.map((key) => store.remove(key)));
}

export class ContentMissingError extends Error {
  constructor(key: string) {
    super(`no content at ${key}`);
    this.name = 'ContentMissingError';
  }
}

/** The store is unreachable, too slow, or denies access. `cause` contains the details. */
export class ContentUnavailableError extends Error {
  /** Error code of the system or the store (e.g. `ENOSPC`, `NoSuchBucket`). It contains no hosts or folders. */
  readonly code: string;

  constructor(cause: unknown) {
    const code = errorCode(cause);
    super(`content store unavailable (${code})`, { cause });
    this.name = 'ContentUnavailableError';
    this.code = code;
  }
}

function errorCode(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
