import { Readable } from 'node:stream';
import { GatewayError, type StoredContent } from '@sluice/canonical';
import { type ByteRange, ContentMissingError, type ContentStore } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRange } from './byte-range.ts';

/**
 * Answers with a stored file: whole, in part, or not at all when the client has it. Streams with back-pressure; a
 * client that leaves closes the file. A store that is open to clients is named to them instead (302).
 * @throws GatewayError `range_not_satisfiable`, `content_expired`
 */
export async function sendContent(
  reply: FastifyReply,
  content: ContentStore,
  file: StoredContent,
  filename: string,
  logger: Logger,
): Promise<FastifyReply> {
  const { request } = reply;
  const etag = `"${file.etag}"`;
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'content-disposition': `attachment; filename="${filename}"`,
    etag,
  };
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send();

  if (content.link && request.method === 'GET') {
    const url = await content.link(file.key, { filename, mediaType: file.mediaType });
    // The URL is a key to the file for a while: nobody between may keep it. `Range` goes along with the client.
    return reply.header('cache-control', 'private, no-store').redirect(url, 302);
  }

  const range = parseRange(wantedRange(request, etag), file.bytes);
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${file.bytes}`);
    throw new GatewayError('range_not_satisfiable', `The file has ${file.bytes} bytes.`);
  }
  const part = range === 'whole' ? undefined : range;
  const bytes = part ? part.end - part.start + 1 : file.bytes;
  // Asked for before the answer begins, so that a file that is gone is an error and not a broken body.
  const stream = await openPart(request, content, file.key, part);

  // The client may have left while the store was asked; nobody would tell of it any more.
  if (reply.raw.destroyed || reply.raw.closed) {
    stream?.destroy();
    return reply.hijack();
  }

  void reply.headers(headers).type(file.mediaType).header('content-length', bytes);
  if (part) void reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${file.bytes}`);
  if (!stream) return reply.send();
  reply.raw.once('close', () => stream.destroy());
  const body = Readable.from(whole(stream, bytes), { objectMode: false });
  // A generator that was never begun does not end what it reads.
  body.once('close', () => stream.destroy());
  // The answer has begun, so breaking it off is all that the client can be told.
  body.once('error', (err) => logger.error({ err, request_id: request.id }, 'a stored file cannot be read'));
  return reply.send(body);
}

/** Opens what is to be sent: nothing, where only the head is asked for. */
async function openPart({ method }: FastifyRequest, content: ContentStore, key: string, part: ByteRange | undefined) {
  try {
    if (method !== 'HEAD') return await content.open(key, part);
    await content.check(key);
    return undefined;
  } catch (error) {
    if (!(error instanceof ContentMissingError)) throw error;
    throw new GatewayError('content_expired', 'The video is no longer stored here.');
  }
}

/** Only a GET can ask for a part (RFC 9110, 14.2), with `If-Range` only of the file that is still there. */
function wantedRange({ method, headers }: FastifyRequest, etag: string): string | undefined {
  const ifRange = headers['if-range'];
  return method === 'GET' && (ifRange === undefined || ifRange === etag) ? headers.range : undefined;
}

/** Passes a file through. One that ends too early must break the answer: a client would wait for the rest. */
async function* whole(stream: Readable, bytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    // the store's streams give bytes
    sent += chunk.byteLength;
    yield chunk;
  }
  if (sent < bytes) throw new Error(`the stored file ended after ${sent} of ${bytes} bytes`);
}

/** `If-None-Match`: a list of tags, weak ones count as equal here. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
