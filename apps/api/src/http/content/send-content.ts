import { Readable } from 'node:stream';
import { GatewayError, type StoredContent, GATEWAY_MESSAGES } from '@sluice/canonical';
import { type ByteRange, ContentMissingError, type ContentStore } from '@sluice/content';
import type { Logger } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRange } from './byte-range.ts';
import { inBytes } from '../form-limits.ts';
import { sendFile } from './send-file.ts';
import { sendSized } from './send-sized.ts';

/**
 * Streams a stored file or a part of it, or redirects to a store that clients can reach (302).
 * @throws GatewayError `range_not_satisfiable`, `content_expired`
 */
export async function sendContent(
  reply: FastifyReply,
  content: Pick<ContentStore, 'open' | 'openFile' | 'check' | 'link'>,
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
    // The URL is a temporary credential, so no proxy may cache it. The client repeats its `Range` header.
    return reply.header('cache-control', 'private, no-store').redirect(url, 302);
  }

  const range = parseRange(requestedRange(request, etag), file.bytes);
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${file.bytes}`);
    const what = `The range starts after the end of the file, which has ${inBytes(file.bytes)}. Request an earlier range.`;
    throw new GatewayError('range_not_satisfiable', what);
  }
  const part = range === 'complete' ? undefined : range;
  const bytes = part ? part.end - part.start + 1 : file.bytes;
  // Opened before the response starts, so that a missing file causes an error response instead of a broken body.
  const body = await openBody(request, content, file.key, part);

  void reply.headers(headers).type(file.mediaType);
  if (part) void reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${file.bytes}`);
  if (!body) return reply.header('content-length', bytes).send();
  const onError = (err: Error): void => {
    logger.error({ err, request_id: request.id }, 'stored file could not be read');
  };
  if (body instanceof Readable) return sendSized(reply, body, bytes, onError);
  return sendFile(reply, body, { start: part?.start ?? 0, bytes }, onError);
}

/** Opens the file, or a stream of the requested part. For HEAD, nothing is opened. */
async function openBody(
  { method }: FastifyRequest,
  content: Pick<ContentStore, 'open' | 'openFile' | 'check'>,
  key: string,
  part: ByteRange | undefined,
) {
  try {
    if (method !== 'HEAD') return await (content.openFile?.(key) ?? content.open(key, part));
    await content.check(key);
    return undefined;
  } catch (error) {
    if (!(error instanceof ContentMissingError)) throw error;
    throw new GatewayError('content_expired', GATEWAY_MESSAGES.fileGone);
  }
}

/**
 * Parses the range of a GET request. Only GET supports ranges (RFC 9110, 14.2). With `If-Range`, the range applies only
 * if the file is unchanged.
 */
function requestedRange({ method, headers }: FastifyRequest, etag: string): string | undefined {
  const ifRange = headers['if-range'];
  return method === 'GET' && (ifRange === undefined || ifRange === etag) ? headers.range : undefined;
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
