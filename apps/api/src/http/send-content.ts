import { GatewayError, type StoredContent } from '@sluice/canonical';
import { ContentMissingError, type ContentStore } from '@sluice/tasks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRange } from './byte-range.ts';

/** A reader that takes nothing for so long is let go. */
const STALL_MS = 60_000;

/**
 * Answers with a stored file: whole, in part, or not at all when the client has it. Streams with back-pressure; a
 * client that leaves closes the file.
 * @throws GatewayError `range_not_satisfiable`, `content_expired`
 */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: ContentStore,
  file: StoredContent,
  filename: string,
): Promise<FastifyReply> {
  const etag = `"${file.etag}"`;
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'content-disposition': `attachment; filename="${filename}"`,
    etag,
  };
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send();

  const ifRange = request.headers['if-range'];
  const wanted = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = parseRange(wanted, file.bytes);
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${file.bytes}`);
    throw new GatewayError('range_not_satisfiable', `The file has ${file.bytes} bytes.`);
  }
  const part = range === 'whole' ? undefined : range;
  // Opened before the answer begins, so that a file that is gone is an error and not a broken body.
  const stream = await content.open(file.key, part).catch((error: unknown) => {
    if (error instanceof ContentMissingError) {
      throw new GatewayError('content_expired', 'The video is no longer stored here.');
    }
    throw error;
  });

  void reply.headers(headers).type(file.mediaType);
  void reply.header('content-length', part ? part.end - part.start + 1 : file.bytes);
  if (part) void reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${file.bytes}`);
  if (request.method === 'HEAD') {
    stream.destroy();
    return reply.send();
  }
  const { socket } = request.raw;
  socket.setTimeout(STALL_MS, () => socket.destroy());
  reply.raw.once('close', () => {
    socket.setTimeout(0);
    stream.destroy();
  });
  return reply.send(stream);
}

/** `If-None-Match`: a list of tags, weak ones count as equal here. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
