import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BytesInFlight, type ReservedBytes } from '../http/bytes-in-flight.ts';
import { bodyTooLarge, type FormLimits } from '../http/form-limits.ts';
import { ACCEPTED_ENCODINGS, canInflate, inflateBody } from './inflate-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum size of a form. If omitted, `limits.upload_bytes`. */
    formBytes?: number;
    /** Whether the body is streamed like a form, and not in memory. */
    streamsBody?: boolean;
    /** Whether the route accepts only JSON. */
    refusesForms?: boolean;
  }
}

/** Smaller bodies are not counted: parsed, they use at most about 1 MB. */
const COUNTED_BYTES = 64 * 1024;
/** Minimum limits for the bytes in flight of one API key. They allow at least two of the largest requests. */
const MEMORY_BYTES = 128 * 1024 * 1024;
const UPLOAD_BYTES = 1024 * 1024 * 1024;

/**
 * Checks the headers of a body before a client that sends `Expect: 100-continue` (e.g. curl with a large body) receives
 * 100 Continue. Also reserves memory for bodies, and decompresses them.
 *
 * @param fileBytes maximum size of a file that a client uploads to be stored
 */
export function checkBodies(app: FastifyInstance, limits: FormLimits, fileBytes: number): void {
  const memory = new BytesInFlight(Math.max(MEMORY_BYTES, 2 * limits.json_bytes));
  const uploads = new BytesInFlight(Math.max(UPLOAD_BYTES, 2 * limits.upload_bytes, 2 * fileBytes));
  app.decorateRequest('bodyMemory', undefined);
  app.decorateRequest('uploadBytes', undefined);
  app.decorateRequest('reserveMemory', function reserveMemory(this: FastifyRequest, reply: FastifyReply) {
    const reserved = this.bodyMemory ?? createReservation(memory, this, reply);
    this.bodyMemory = reserved;
    return reserved;
  });
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404) return done();
    const { 'content-type': type = '', 'content-length': length, expect } = request.headers;
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    const { config, bodyLimit } = request.routeOptions;
    const isForm = config.streamsBody === true || /^multipart\//i.test(type);
    if (isForm && config.refusesForms) return done(formRefused());
    if (encoding !== 'identity' && (isForm || !canInflate(encoding))) {
      void reply.header('accept-encoding', isForm ? 'identity' : ACCEPTED_ENCODINGS);
      return done(unsupportedEncoding(isForm));
    }
    const max = isForm ? (config.formBytes ?? limits.upload_bytes) : bodyLimit;
    const declared = Number(length ?? 0);
    if (declared > max) return done(bodyTooLarge(max));
    const isCompressed = encoding !== 'identity';
    const isCounted = isForm || isCompressed || length === undefined || declared > COUNTED_BYTES;
    const memoryOfBody = isCounted ? reserve(memory, request, reply) : undefined;
    request.bodyMemory = memoryOfBody;
    if (isForm) request.uploadBytes = reserve(uploads, request, reply);
    try {
      // A form's files are not kept in memory. Memory for its fields is reserved when they are read.
      if (isForm) request.uploadBytes?.add(declared);
      else if (!isCompressed && length !== undefined) memoryOfBody?.add(declared);
    } catch (error) {
      return done(error as Error);
    }
    if (expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    const body = isCompressed ? inflateBody(payload, encoding, max) : payload;
    if (memoryOfBody && !isForm && (isCompressed || length === undefined)) countChunks(body, memoryOfBody);
    done(null, body);
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.bodyMemory?.release();
    done();
  });
}

/** @returns undefined for methods without a body */
function reserve(bytes: BytesInFlight, request: FastifyRequest, reply: FastifyReply): ReservedBytes | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  return createReservation(bytes, request, reply);
}

function createReservation(bytes: BytesInFlight, request: FastifyRequest, { raw }: FastifyReply): ReservedBytes {
  const reserved = bytes.reserve(request.apiKey?.name ?? '');
  raw.once('close', () => reserved.release());
  return reserved;
}

/** Reserves memory for a body of unknown length as it arrives. */
function countChunks(body: Readable, reserved: ReservedBytes): void {
  body.on('data', (chunk: Buffer) => {
    try {
      reserved.add(chunk.byteLength);
    } catch (error) {
      // Destroying the client's own request would close the connection before the response.
      if (body instanceof IncomingMessage) body.emit('error', error);
      else body.destroy(error as Error);
    }
  });
}

function formRefused(): GatewayError {
  return new GatewayError(
    'unsupported_media_type',
    'Forms are not supported here. Send the body as `application/json`.',
  );
}

function unsupportedEncoding(isForm: boolean): GatewayError {
  const what = isForm
    ? 'This endpoint does not accept compressed bodies. Send the body without `Content-Encoding`.'
    : 'The `Content-Encoding` is not supported. Use `gzip`, `br`, or `zstd`, or send the body uncompressed.';
  return new GatewayError('unsupported_media_type', what);
}
