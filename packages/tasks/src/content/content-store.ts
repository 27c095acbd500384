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

/** File name and type in the response of a signed URL. */
interface LinkedFile {
  filename: string;
  mediaType: string;
}

/** Stores uploads and finished outputs. A blob exists completely or not at all. */
export interface ContentStore {
  /**
   * Streams a source to a blob, which appears only after the source has ended without an error.
   * @throws {ContentTooLargeError} past `maxBytes`; {ContentUnavailableError}; or the source's error. Leaves nothing
   * behind.
   */
  write(key: string, source: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal): Promise<WrittenBlob>;
  /**
   * Opens a blob or a range of it as a stream with backpressure. Destroying the stream closes the source.
   * @throws {ContentMissingError}; {ContentUnavailableError}
   */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Resolves if the blob exists. @throws {ContentMissingError}; {ContentUnavailableError} */
  check(key: string): Promise<void>;
  /**
   * Signs a temporary URL of the blob, without checking that the blob exists. Absent if clients cannot reach the store
   * or redirects are disabled.
   */
  link?(key: string, as: LinkedFile): Promise<string>;
  /** Removes a blob if it exists. @throws {ContentUnavailableError} */
  remove(key: string): Promise<void>;
  /**
   * Removes blobs of a folder that are older than `ageMs`, which killed processes have left. The folder `tmp` holds
   * unfinished writes.
   */
  clearOlder(folder: string, ageMs: number): Promise<void>;
}

/** Removes blobs that no record names. Ignores errors, because blobs that remain are removed later by their age. */
export async function discardContent(store: Pick<ContentStore, 'remove'>, keys: readonly string[]): Promise<void> {
  await Promise.allSettled(keys.map((key) => store.remove(key)));
}

export class ContentTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.name = 'ContentTooLargeError';
  }
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
