import type { Readable } from 'node:stream';

/** An inclusive byte range, as in HTTP. */
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

/** A blob exists completely or not at all. Every method may throw {ContentUnavailableError}. */
export interface ContentStore {
  /** The blob becomes visible when the source ends. @throws {ContentTooLargeError} past `maxBytes`; the source's error */
  write(key: string, source: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal): Promise<WrittenBlob>;
  /** Destroying the stream closes its source. @throws {ContentMissingError} */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** @throws {ContentMissingError} */
  check(key: string): Promise<void>;
  /** Signs a temporary URL of a blob. Absent if clients cannot reach the store or redirects are disabled. */
  link?(key: string, as: SignedFile): Promise<string>;
  remove(key: string): Promise<void>;
  /** Removes a folder's blobs that are older than `ageMs`. The folder `tmp` holds unfinished writes. */
  clearOlder(folder: string, ageMs: number): Promise<void>;
}

/** Removes blobs that no record references. Ignores errors: an age-based cleanup removes the rest later. */
export async function discardContent(store: Pick<ContentStore, 'remove'>, keys: readonly string[]): Promise<void> {
  await Promise.allSettled(keys.map((key) => store.remove(key)));
}

export class ContentMissingError extends Error {
  constructor(key: string) {
    super(`no content at ${key}`);
    this.name = 'ContentMissingError';
  }
}

/** The store is unreachable, too slow, or denies access; see the cause. */
export class ContentUnavailableError extends Error {
  constructor(cause: unknown) {
    super('content store unavailable', { cause });
    this.name = 'ContentUnavailableError';
  }
}
