import type { Readable } from 'node:stream';

/** An inclusive byte range, as HTTP has it. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What a finished write came to. */
export interface WrittenBlob {
  bytes: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
}

/** How a blob that is read by a signed URL presents itself. */
interface LinkedFile {
  filename: string;
  mediaType: string;
}

/** Where uploads and finished videos are kept. A blob is there whole or not at all. */
export interface ContentStore {
  /**
   * Streams a source to a blob; the blob appears under its key only when the source ended well.
   * @throws {ContentTooLargeError} past `maxBytes`; {ContentUnavailableError}; whatever the source throws. Nothing is left
   *   behind.
   */
  write(key: string, source: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal): Promise<WrittenBlob>;
  /**
   * Opens a blob, or a part of it, as a stream with back-pressure; destroying the stream closes the source.
   * @throws {ContentMissingError} when there is no such blob; {ContentUnavailableError}
   */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Tells whether a blob is there. @throws {ContentMissingError} when it is not; {ContentUnavailableError} */
  check(key: string): Promise<void>;
  /**
   * Signs a URL at which a client can read the blob itself for a while; absent where clients cannot reach the store, or
   * shall not. Whether the blob is there is not looked up.
   */
  link?(key: string, as: LinkedFile): Promise<string>;
  /** Removes a blob; removing what is not there is fine. @throws {ContentUnavailableError} */
  remove(key: string): Promise<void>;
  /**
   * Removes blobs of a folder that are older than `ageMs`: what killed processes have left behind. The folder `tmp`
   * holds unfinished writes.
   */
  clearOlder(folder: string, ageMs: number): Promise<void>;
}

/**
 * Removes blobs that nothing names, as far as the store answers: what it keeps now is cleared away by its age. Never
 * throws, since it follows what matters more.
 */
export async function discardContent(store: Pick<ContentStore, 'remove'>, keys: readonly string[]): Promise<void> {
  await Promise.allSettled(keys.map((key) => store.remove(key)));
}

/** The source was longer than allowed. */
export class ContentTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.name = 'ContentTooLargeError';
  }
}

/** There is no blob under the key. */
export class ContentMissingError extends Error {
  constructor(key: string) {
    super(`no content at ${key}`);
    this.name = 'ContentMissingError';
  }
}

/** The store cannot be reached, does not answer in time, or refuses us; the cause says which. */
export class ContentUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the content store does not answer', { cause });
    this.name = 'ContentUnavailableError';
  }
}
