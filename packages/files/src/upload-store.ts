import { type FileUpload, isUploadId, sortableDigits, GatewayError, type FileObject } from '@sluice/canonical';
import { type FileContext, writeContent, type WrittenContent } from './file-context.ts';
import { contentGone, quotaReached, uploadEnded, uploadNotFound } from './file-errors.ts';
import { parseUpload } from './file-fields.ts';
import { lifetimeOf } from './file-settings.ts';
import type { FilePart } from './file-parts.ts';
import type { PartResult } from './file-scripts.ts';

export interface UploadParams extends Pick<FileObject, 'filename' | 'mediaType' | 'purpose'> {
  /** The exact size of the file. If unknown, the parts may have up to `maxBytes` in total. */
  declaredBytes?: number;
  /** By default, `partedBytes` of the settings. */
  maxBytes?: number;
  /** The upload expires after this time unless it is completed. */
  pendingMs: number;
  /** Time after which the file expires, counted from its completion. At most the retention, which is the default. */
  lifetimeMs?: number;
}

/** A part of a file, which is stored. */
export interface UploadPart {
  name: string;
  uploadId: string;
  createdAt: number;
}

/** Redis keeps an upload that has ended for this time. */
const ENDED_MS = 24 * 60 * 60_000;
const MAX_PARTS = 10_000;

/** Files that are written in parts, possibly by several processes. Parts survive the process that wrote them. */
export class UploadStore {
  readonly #context: FileContext;

  constructor(context: FileContext) {
    this.#context = context;
  }

  async create(ownerId: string, params: UploadParams): Promise<FileUpload> {
    const { redis, keys, randomBytes, now } = this.#context;
    const { filename, mediaType, purpose, declaredBytes, maxBytes, pendingMs, lifetimeMs } = params;
    const settings = this.#context.settings;
    const createdAt = now();
    const id = `upload_${sortableDigits(createdAt, randomBytes)}`;
    const expiresAt = createdAt + pendingMs;
    const fields = {
      id,
      owner: ownerId,
      filename,
      mediaType,
      purpose,
      createdAt: String(createdAt),
      expiresAt: String(expiresAt),
      status: 'pending',
      received: '0',
      declared: String(declaredBytes ?? ''),
      maxBytes: String(maxBytes ?? ''),
      lifetimeMs: String(lifetimeOf(settings, lifetimeMs)),
    };
    const limits = [settings.ownerFiles, settings.ownerBytes, declaredBytes ?? 0];
    const args = [id, ownerId, expiresAt, ...limits, ...Object.entries(fields).flat()];
    if ((await redis.filesOpenUpload(keys.prefix, ...args)) === 'quota') throw quotaReached(settings);
    return parseUpload(fields, createdAt);
  }

  /** @throws GatewayError `upload_not_found` */
  async find(ownerId: string, id: string): Promise<FileUpload> {
    const { redis, keys, now } = this.#context;
    const fields = isUploadId(id) ? await redis.hgetall(keys.upload(id)) : {};
    if (fields['owner'] !== ownerId) throw uploadNotFound();
    return parseUpload(fields, now());
  }

  /** Streams a part's content to the store. @param maxBytes of this part */
  async write(source: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal): Promise<WrittenContent> {
    return writeContent(this.#context, source, maxBytes, signal);
  }

  /** @throws GatewayError `upload_not_found`, `invalid_request`, `storage_quota_exceeded` */
  async addPart(
    ownerId: string,
    id: string,
    { key, bytes, sha256 }: WrittenContent,
    name: string,
  ): Promise<UploadPart> {
    const { redis, keys, now } = this.#context;
    const settings = this.#context.settings;
    const createdAt = now();
    const limits = [settings.ownerBytes, settings.partedBytes, MAX_PARTS];
    const args = [id, ownerId, createdAt, name, key, bytes, sha256, ...limits];
    const result = await redis.filesAddPart(keys.prefix, ...args);
    if (result !== 'added') throw this.#partError(result);
    return { name, uploadId: id, createdAt };
  }

  /** Returns the names of an upload's parts, sorted. */
  async partNames(id: string): Promise<string[]> {
    const { redis, keys } = this.#context;
    return (await redis.hkeys(keys.parts(id))).toSorted();
  }

  /**
   * @param named by default, all parts, sorted by name
   * @throws GatewayError `upload_not_found`, `invalid_request` if a part does not exist
   */
  async parts(ownerId: string, id: string, named?: readonly string[]): Promise<FilePart[]> {
    await this.find(ownerId, id);
    const { redis, keys } = this.#context;
    const names = named ?? (await this.partNames(id));
    const parts = names.length === 0 ? [] : await redis.hmget(keys.parts(id), ...names);
    return parts.map((text) => {
      if (text === null) throw unknownPart();
      const [key, bytes] = JSON.parse(text) as FilePart; // The cast is safe because only a script writes it.
      return [key, bytes];
    });
  }

  /**
   * @param names the parts in their order
   * @param mediaType the actual media type, if the declared one is wrong
   * @returns the id of the file
   * @throws GatewayError `upload_not_found`, `invalid_request`
   */
  async complete(ownerId: string, id: string, names: readonly string[], mediaType = ''): Promise<string> {
    const { redis, keys, now, randomBytes } = this.#context;
    const completedAt = now();
    const fileId = `file-${sortableDigits(completedAt, randomBytes)}`;
    const args = [id, ownerId, completedAt, fileId, ENDED_MS, mediaType, ...names];
    const [result, value, declaredBytes = ''] = await redis.filesComplete(keys.prefix, ...args);
    switch (result) {
      case 'completed':
        return value;
      case 'missing':
        throw uploadNotFound();
      case 'ended':
        throw uploadEnded();
      case 'size':
        throw new GatewayError(
          'invalid_request',
          `The upload declared ${declaredBytes} bytes, but its parts have ${value} bytes in total. Send all parts.`,
        );
      case 'part':
        throw unknownPart();
    }
  }

  /** @throws GatewayError `upload_not_found`, `invalid_request` */
  async cancel(ownerId: string, id: string): Promise<void> {
    const { redis, keys, now } = this.#context;
    const result = await redis.filesCancel(keys.prefix, id, ownerId, now(), ENDED_MS);
    if (result === 'missing') throw uploadNotFound();
    if (result === 'ended') throw uploadEnded();
  }

  /** Ends files and uploads that have expired. @returns how many */
  async expire(max: number): Promise<number> {
    const { redis, keys, now } = this.#context;
    return redis.filesExpire(keys.prefix, now(), max, ENDED_MS);
  }

  #partError(result: Exclude<PartResult, 'added'>): GatewayError {
    switch (result) {
      case 'missing':
        return uploadNotFound();
      case 'ended':
        return uploadEnded();
      case 'quota':
        return quotaReached(this.#context.settings);
      case 'gone':
        return contentGone();
      case 'size':
        return new GatewayError('payload_too_large', 'The parts exceed the size of the upload. Send fewer bytes.');
      case 'parts':
        return new GatewayError('invalid_request', `An upload can have at most ${MAX_PARTS} parts. Send larger parts.`);
    }
  }
}

function unknownPart(): GatewayError {
  return new GatewayError('invalid_request', 'A part is named twice or does not exist. Name each part once.', {
    param: 'part_ids',
  });
}
