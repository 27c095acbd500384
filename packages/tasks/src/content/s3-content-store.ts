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

/** A bucket of an S3-compatible store. */
export interface S3ContentSettings {
  bucket: string;
  region: string;
  /** URL of a store that is not Amazon's; absent: Amazon's own of the region. */
  endpoint?: string | undefined;
  /** Absent, both: what the environment provides, as AWS' tools find it (variables, files, the machine's role). */
  access_key?: string | undefined;
  secret_key?: string | undefined;
  /** Folder in the bucket, without slashes around it; empty: the bucket's top. */
  prefix: string;
  /** Whether the bucket's name stands in the path instead of the host's name. */
  path_style: boolean;
  /** Whether finished files are read by clients from the store itself. */
  redirect: boolean;
  /** How long a redirect's URL can be used, milliseconds. */
  redirect_ms: number;
}

/** A part of a multipart upload, the least that S3 takes. Ten thousand are the most, so files of 50 GB can be written. */
const PART_BYTES = 5 * 1024 * 1024;
/** Parts on their way at once, for each write; another is gathered meanwhile. */
const PARTS_AT_ONCE = 1;
/** Readers at once: slow ones must not keep others waiting for a connection. */
const MAX_CONNECTIONS = 5_000;
const CONNECT_MS = 3_000;
/** How long calls may take. */
interface CallLimits {
  /** From a call until its answer begins, milliseconds. */
  responseMs: number;
  /** The same of a write, whose bytes have to leave first: over a slow line that takes its time. */
  writeMs: number;
}
const LIMITS: CallLimits = { responseMs: 15_000, writeMs: 15 * 60_000 };
/** Tries of one call, the first one included. */
const ATTEMPTS = 2;
/** A connection without a byte either way; slow readers of ours hold theirs back for longer than that is normal. */
const SILENCE_MS = 120_000;

/**
 * A content store in a bucket of an S3-compatible store. A blob appears when its upload is completed, which is atomic.
 * What killed processes leave behind are parts of uploads that were not completed: the bucket's life-cycle rule
 * (`AbortIncompleteMultipartUpload`) clears them away, since not every store can list them.
 */
export function createS3ContentStore(settings: S3ContentSettings, limits = LIMITS): ContentStore {
  const { bucket: Bucket, prefix } = settings;
  const client = new S3Client(clientSettings(settings, limits.responseMs));
  const writer = new S3Client(clientSettings(settings, limits.writeMs));
  const keyOf = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`);

  const store: ContentStore = {
    async write(key, source, maxBytes, signal): Promise<WrittenBlob> {
      signal?.throwIfAborted();
      const measured = measureSource(maxBytes);
      const Body = Readable.from(measured.chunks(source), { objectMode: false });
      const upload = new Upload({
        client: writer,
        params: { Bucket, Key: keyOf(key), Body },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
      });
      const stop = (): void => {
        // The source first: the upload looks whether it was ended only between two pieces.
        Body.destroy(signal?.reason instanceof Error ? signal.reason : new Error('the write was given up'));
        void upload.abort();
      };
      signal?.addEventListener('abort', stop, { once: true });
      try {
        await upload.done();
      } catch (error) {
        // What the source threw says more than how the upload ended.
        throw Body.errored ?? new ContentUnavailableError(error);
      } finally {
        signal?.removeEventListener('abort', stop);
        Body.destroy();
      }
      return measured.written();
    },

    async open(key, range): Promise<Readable> {
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(key), Range }));
        return Body as Readable; // in Node the body is the answer's own stream
      } catch (error) {
        throw error instanceof NoSuchKey ? new ContentMissingError(key) : new ContentUnavailableError(error);
      }
    },

    async check(key): Promise<void> {
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key: keyOf(key) }));
      } catch (error) {
        throw error instanceof NotFound ? new ContentMissingError(key) : new ContentUnavailableError(error);
      }
    },

    async remove(key): Promise<void> {
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(key) }));
      } catch (error) {
        throw new ContentUnavailableError(error);
      }
    },

    async clearOlder(folder, ageMs): Promise<void> {
      const before = Date.now() - ageMs;
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: `${keyOf(folder)}/` })) {
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (LastModified && LastModified.getTime() < before)
            await client.send(new DeleteObjectCommand({ Bucket, Key }));
        }
      }
    },
  };
  if (!settings.redirect) return store;
  return {
    ...store,
    link: (key, { filename, mediaType }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket,
          Key: keyOf(key),
          ResponseContentType: mediaType,
          ResponseContentDisposition: `attachment; filename="${filename}"`,
        }),
        { expiresIn: Math.max(1, Math.ceil(settings.redirect_ms / 1_000)) },
      ),
  };
}

function clientSettings(settings: S3ContentSettings, requestTimeout: number): S3ClientConfig {
  const { region, endpoint, access_key, secret_key, path_style } = settings;
  const agents = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  return {
    region,
    forcePathStyle: path_style,
    maxAttempts: ATTEMPTS,
    // Checksums in trailers are Amazon's; other stores refuse them. We hash the content ourselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout,
      throwOnRequestTimeout: true,
      socketTimeout: SILENCE_MS,
      httpAgent: new HttpAgent(agents),
      httpsAgent: new HttpsAgent(agents),
    },
    ...(endpoint !== undefined && { endpoint }),
    ...(access_key !== undefined &&
      secret_key !== undefined && { credentials: { accessKeyId: access_key, secretAccessKey: secret_key } }),
  };
}
