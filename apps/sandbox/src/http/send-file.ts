import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseByteRange } from './byte-range.ts';
import { sendHalf } from './send-half.ts';

export interface ServedFile {
  bytes: Buffer;
  mediaType: string;
  etag: string;
}

/**
 * Supports `Range`, `If-Range`, `If-None-Match`, and HEAD.
 * @param cut whether to drop the connection midway through the body.
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile, cut: boolean): FastifyReply {
  const { range: requested, 'if-range': condition, 'if-none-match': known } = request.headers;
  const etag = `"${file.etag}"`;
  const total = file.bytes.length;
  const headers = { etag, 'accept-ranges': 'bytes', 'cache-control': 'private' };
  if (known === etag) return reply.code(304).headers(headers).send();
  const range = parseByteRange(condition === undefined || condition === etag ? requested : undefined, total);
  if (range === 'unsatisfiable') {
    void reply.code(416).headers({ ...headers, 'content-range': `bytes */${total}` });
    return reply.send();
  }
  const { start, end } = range === 'complete' ? { start: 0, end: total - 1 } : range;
  const status = range === 'complete' ? 200 : 206;
  const body = file.bytes.subarray(start, end + 1);
  const described = {
    ...headers,
    'content-type': file.mediaType,
    'content-length': body.length,
    ...(status === 206 && { 'content-range': `bytes ${start}-${end}/${total}` }),
  };
  if (request.method === 'HEAD') return reply.code(status).headers(described).send();
  if (cut) return sendHalf(reply, body, { status, headers: described });
  return reply.code(status).headers(described).send(body);
}
