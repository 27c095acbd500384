import type { Readable } from 'node:stream';
import { Transform, type TransformCallback } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { GatewayError } from '@sluice/canonical';
import { bodyTooLarge } from '../http/form-limits.ts';

/** Real JSON requests are rarely compressed by more than this ratio. */
const MAX_RATIO = 100;
/** The ratio of bodies smaller than this is not checked. */
const UNCHECKED_BYTES = 1024 * 1024;
/** A window of 8 MiB, which every decoder must support (RFC 8878, section 3.1.1.1.2). */
const ZSTD_WINDOW_LOG = 23;

const DECOMPRESSORS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })],
]);

/** For the `Accept-Encoding` header of a rejection (RFC 9110, section 12.5.3). */
export const ACCEPTED_ENCODINGS = 'gzip, br, zstd';

export function canInflate(encoding: string): boolean {
  return DECOMPRESSORS.has(encoding);
}

/** Fastify compares `receivedEncodedLength` with Content-Length. */
class InflatedBody extends Transform {
  readonly #maxBytes: number;
  receivedEncodedLength = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#maxBytes) return done(bodyTooLarge(this.#maxBytes));
    if (this.#bytes > UNCHECKED_BYTES && this.#bytes > this.receivedEncodedLength * MAX_RATIO) {
      return done(
        new GatewayError(
          'payload_too_large',
          `The body is compressed more than ${MAX_RATIO} times. Send it uncompressed.`,
        ),
      );
    }
    done(null, chunk);
  }
}

/**
 * Returns the decompressed body. It fails with `payload_too_large` beyond `maxBytes` or the ratio, and with
 * `invalid_request` for invalid data. The source stays open so that the error can be sent.
 * @param encoding an encoding that {@link canInflate} accepts
 */
export function inflateBody(source: Readable, encoding: string, maxBytes: number): Readable {
  const decompressor = DECOMPRESSORS.get(encoding)?.();
  if (!decompressor) throw new Error(`no decompressor for ${encoding}`);
  const body = new InflatedBody(maxBytes);
  source.on('data', (chunk: Buffer) => (body.receivedEncodedLength += chunk.byteLength));
  source.on('error', (error) => body.destroy(error));
  decompressor.on('error', () => {
    body.destroy(
      new GatewayError(
        'invalid_request',
        `The body is not valid \`${encoding}\` data. Correct it, or send it uncompressed.`,
      ),
    );
  });
  body.on('close', () => {
    if (body.readableEnded) return;
    source.unpipe(decompressor);
    source.resume();
    decompressor.destroy();
  });
  source.pipe(decompressor).pipe(body);
  return body;
}
