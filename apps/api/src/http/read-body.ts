import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { errorCodes, type FastifyRequest } from 'fastify';
import { bodyTooLarge } from './form-limits.ts';

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Reads a body as bytes, as a parser of Fastify. In contrast to `parseAs: 'buffer'`, it frees each chunk as soon as it is
 * copied. Otherwise, megabytes of chunks cause a full garbage collection every few requests, which costs more CPU time
 * than the request itself.
 * @param payload the request, or its decompressed body
 */
export function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const { bodyLimit: maxBytes } = request.routeOptions;
  const declared = request.headers['content-length'];
  const isPlain = payload instanceof IncomingMessage;
  const body = isPlain && declared !== undefined ? new SizedBody(Number(declared)) : new GrowingBody(isPlain);
  const stop = (): void => {
    payload.removeListener('data', onData);
    payload.removeListener('end', onEnd);
    payload.removeListener('error', onError);
  };
  const onData = (chunk: Buffer): void => {
    if (body.received + chunk.byteLength <= maxBytes) return body.add(chunk);
    stop();
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  };
  const onEnd = (): void => {
    stop();
    const { receivedEncodedLength = body.received } = payload as { receivedEncodedLength?: number };
    const isComplete = declared === undefined || Number(declared) === receivedEncodedLength;
    if (isComplete) done(null, body.bytes());
    else done(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  };
  const onError = (error: Error): void => {
    stop();
    done(Object.assign(error, { statusCode: 400 }));
  };
  payload.on('data', onData).on('end', onEnd).on('error', onError);
  payload.resume();
}

/** A body of declared length. */
class SizedBody {
  readonly #declared: number;
  #only: Buffer | undefined;
  #bytes: Buffer | undefined;
  received = 0;

  constructor(declared: number) {
    this.#declared = declared;
  }

  add(chunk: Buffer): void {
    const at = this.received;
    this.received += chunk.byteLength;
    if (this.received > this.#declared) return;
    if (at === 0 && chunk.byteLength === this.#declared) {
      this.#only = chunk;
      return;
    }
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#declared);
    chunk.copy(this.#bytes, at);
    free(chunk);
  }

  bytes(): Buffer {
    return this.#only ?? this.#bytes ?? Buffer.alloc(0);
  }
}

/** A body of unknown length. */
class GrowingBody {
  readonly #ownsChunks: boolean;
  readonly #chunks: Buffer[] = [];
  received = 0;

  constructor(ownsChunks: boolean) {
    this.#ownsChunks = ownsChunks;
  }

  add(chunk: Buffer): void {
    this.received += chunk.byteLength;
    this.#chunks.push(chunk);
  }

  bytes(): Buffer {
    const bytes = Buffer.concat(this.#chunks);
    if (this.#ownsChunks) this.#chunks.forEach(free);
    return bytes;
  }
}

/** Node's parser copies each chunk into its own memory. A chunk that shares its memory is left to the collector. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * Reads the body of a route with `streamsBody`. A reader that stops early leaves the connection open, so that the client
 * receives the error.
 * @throws GatewayError `payload_too_large`, or if too many bytes are in flight
 */
export async function* streamedBody(request: FastifyRequest, maxBytes: number): AsyncGenerator<Uint8Array> {
  const { body, uploadBytes, headers } = request;
  if (body === undefined || body === null) return;
  let bytes = 0;
  // The casts are safe because the route passes the body on as a stream of bytes.
  for await (const part of (body as Readable).iterator({ destroyOnReturn: false })) {
    const chunk = part as Uint8Array;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    // Bytes of a declared length are already reserved.
    if (headers['content-length'] === undefined) uploadBytes?.add(chunk.byteLength);
    yield chunk;
  }
}
