import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
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
  endpoint?: string | undefined; // URL of the store; set unless it is Amazon S3.
  /** If omitted, credentials come from the environment as in AWS tools: variables, files, or the instance role. */
  access_key?: string | undefined;
  secret_key?: string | undefined;
  /** Folder in the bucket, without leading and trailing slashes. Empty for the bucket's root. */
  prefix: string;
  /** Whether URLs contain the bucket in the path instead of the host name. */
  path_style: boolean;
  /** Whether downloads of outputs are redirected to the store. */
  redirect: boolean;
  /** Lifetime of a redirect URL, in milliseconds. */
  redirect_ms: number;
}

/** S3's minimum part size. With S3's maximum of 10,000 parts, a file can have up to 50 GB. */
const PART_BYTES = 5 * 1024 * 1024;
const CONCURRENT_PARTS = 1;
/** Maximum concurrent connections. It is large, because slow readers must not block others. */
const MAX_CONNECTIONS = 5_000;
const CONNECT_MS = 3_000;
interface CallLimits {
  /** Timeout until the response starts, in milliseconds. */
  responseMs: number;
  /** Timeout of a write, in milliseconds. It includes the time to send the bytes over a slow connection. */
  writeMs: number;
}
const LIMITS: CallLimits = { responseMs: 15_000, writeMs: 15 * 60_000 };
/** Maximum attempts per call, including the first one. */
const MAX_ATTEMPTS = 2;
/** A socket is closed if no bytes are sent or received for this long. Slow readers rarely pause this long. */
const IDLE_TIMEOUT_MS = 120_000;

interface BucketContext {
  bucket: string;
  client: S3Client;
  /** A client with the longer timeout for writes. */
  writer: S3Client;
}

/**
 * Stores content in a bucket of an S3-compatible store. Completing an upload is atomic and makes the blob visible. If
 * the process is killed, the parts of an incomplete upload remain. The bucket's lifecycle rule
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
    // Destroy the source first, because the upload checks for an abort only between chunks.
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
    return Body as Readable; // The cast is safe because in Node, the body is a readable stream.
  } catch (error) {
    throw error instanceof NoSuchKey ? new ContentMissingError(key) : new ContentUnavailableError(error);
  }
}

async function checkExists({ bucket, client }: BucketContext, path: string, key: string): Promise<void> {
  try {
    await client.send(new HeadObjectCommand({ Bucket: bucket, Key: path }));
  } catch (error) {
    if (!(error instanceof NotFound)) throw new ContentUnavailableError(error);
    // The HEAD response has no body, so a missing object and a missing bucket look the same.
    await checkBucket({ bucket, client });
    throw new ContentMissingError(key);
  }
}

/** @throws {ContentUnavailableError} if the bucket does not exist */
async function checkBucket({ bucket, client }: Pick<BucketContext, 'bucket' | 'client'>): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    throw new ContentUnavailableError(error);
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
    // Only Amazon accepts checksums in trailers. Sluice computes its own hash of the content anyway.
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
