import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { ContentMissingError, type ContentStore, ContentUnavailableError, type WrittenBlob } from './content-store.ts';
import { measureSource } from './measured-source.ts';

export interface S3ContentSettings {
  bucket: string;
  region: string;
  endpoint?: string | undefined; // for stores other than Amazon S3
  /** Without keys, credentials come from the environment, as in AWS tools: variables, files, the instance role. */
  access_key?: string | undefined;
  secret_key?: string | undefined;
  /** Folder in the bucket without surrounding slashes; empty: the bucket's root. */
  prefix: string;
  /** Whether URLs name the bucket in the path instead of the host name. */
  path_style: boolean;
  /** Whether clients are redirected to the store to download outputs. */
  redirect: boolean;
  /** Lifetime of a redirect URL, milliseconds. */
  redirect_ms: number;
}

/** S3's minimum. With S3's maximum of 10,000 parts, a file can have 50 GB. */
const PART_BYTES = 5 * 1024 * 1024;
const CONCURRENT_PARTS = 1;
/** Concurrent readers: slow readers must not block others. */
const MAX_CONNECTIONS = 5_000;
const CONNECT_MS = 3_000;
interface CallLimits {
  /** Time until the response begins, milliseconds. */
  responseMs: number;
  /** Time for a write, which includes sending the bytes over a slow connection. */
  writeMs: number;
}
const LIMITS: CallLimits = { responseMs: 15_000, writeMs: 15 * 60_000 };
/** Attempts per call, including the first. */
const MAX_ATTEMPTS = 2;
/** Socket idle timeout (no bytes in either direction). Slow readers rarely pause this long. */
const IDLE_TIMEOUT_MS = 120_000;

interface BucketContext {
  bucket: string;
  client: S3Client;
  /** Uses the longer write timeout. */
  writer: S3Client;
}

/**
 * A content store in a bucket of an S3-compatible store. Completing an upload is atomic and makes the blob
 * visible. A killed process leaves parts of an incomplete upload. The bucket's lifecycle rule
 * (`AbortIncompleteMultipartUpload`) must remove them, because not every store can list them.
 */
export function createS3ContentStore(settings: S3ContentSettings, limits = LIMITS): ContentStore {
  const { bucket, prefix } = settings;
  const client = new S3Client(clientSettings(settings, limits.responseMs));
  const writer = new S3Client(clientSettings(settings, limits.writeMs));
  const context: BucketContext = { bucket, client, writer };
  const pathOf = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`);
  const store: ContentStore = {
    write: (key, source, maxBytes, signal) => upload(context, pathOf(key), source, maxBytes, signal),
    open: (key, range) => download(context, pathOf(key), key, range),
    check: (key) => checkExists(context, pathOf(key), key),
    remove: (key) => removeObject(context, pathOf(key)),
    clearOlder: (folder, ageMs) => removeOlder(context, `${pathOf(folder)}/`, Date.now() - ageMs),
  };
  if (!settings.redirect) return store;
  return {
    ...store,
    link: (key, { filename, mediaType }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket: bucket,
          Key: pathOf(key),
          ResponseContentType: mediaType,
          ResponseContentDisposition: `attachment; filename="${filename}"`,
        }),
        { expiresIn: Math.max(1, Math.ceil(settings.redirect_ms / 1_000)) },
      ),
  };
}

async function upload(
  { bucket, writer }: BucketContext,
  path: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<WrittenBlob> {
  signal?.throwIfAborted();
  const measured = measureSource(maxBytes);
  const body = Readable.from(measured.chunks(source), { objectMode: false });
  const transfer = new Upload({
    client: writer,
    params: { Bucket: bucket, Key: path, Body: body },
    partSize: PART_BYTES,
    queueSize: CONCURRENT_PARTS,
  });
  const stop = (): void => {
    // Stop the source first: the upload checks for an abort only between chunks.
    body.destroy(signal?.reason instanceof Error ? signal.reason : new Error('write aborted'));
    void transfer.abort();
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await transfer.done();
  } catch (error) {
    // The source's error is more specific than the upload's.
    throw body.errored ?? new ContentUnavailableError(error);
  } finally {
    signal?.removeEventListener('abort', stop);
    body.destroy();
  }
  return measured.written();
}

async function download(
  { bucket, client }: BucketContext,
  path: string,
  key: string,
  range: Parameters<ContentStore['open']>[1],
): Promise<Readable> {
  const Range = range && `bytes=${range.start}-${range.end}`;
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: path, Range }));
    return Body as Readable; // in Node the body is the response's stream
  } catch (error) {
    throw error instanceof NoSuchKey ? new ContentMissingError(key) : new ContentUnavailableError(error);
  }
}

async function checkExists({ bucket, client }: BucketContext, path: string, key: string): Promise<void> {
  try {
    await client.send(new HeadObjectCommand({ Bucket: bucket, Key: path }));
  } catch (error) {
    throw error instanceof NotFound ? new ContentMissingError(key) : new ContentUnavailableError(error);
  }
}

async function removeObject({ bucket, client }: BucketContext, path: string): Promise<void> {
  try {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: path }));
  } catch (error) {
    throw new ContentUnavailableError(error);
  }
}

async function removeOlder({ bucket, client }: BucketContext, prefix: string, before: number): Promise<void> {
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (LastModified && LastModified.getTime() < before)
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
    }
  }
}

function clientSettings(settings: S3ContentSettings, requestTimeout: number): S3ClientConfig {
  const { region, endpoint, access_key, secret_key, path_style } = settings;
  const agents = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  return {
    region,
    forcePathStyle: path_style,
    maxAttempts: MAX_ATTEMPTS,
    // Only Amazon accepts checksums in trailers. Sluice hashes the content itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: new HttpAgent(agents),
      httpsAgent: new HttpsAgent(agents),
    },
    ...(endpoint !== undefined && { endpoint }),
    ...(access_key !== undefined &&
      secret_key !== undefined && { credentials: { accessKeyId: access_key, secretAccessKey: secret_key } }),
  };
}
