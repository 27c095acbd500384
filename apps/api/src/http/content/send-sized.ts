import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { startStallTimer } from '../stalled-readers.ts';

/**
 * Sends a body of known length. The last chunk ends the response in the same write: a client that has all bytes may
 * close the connection at once, and a response without an end counts as aborted.
 * @param onError called for a body that breaks off, which aborts the response
 */
export function sendSized(
  reply: FastifyReply,
  body: Readable,
  bytes: number,
  onError: (error: Error) => void,
): FastifyReply {
  const { raw } = reply;
  reply.hijack();
  // The client may have disconnected meanwhile, and no further event would report it.
  if (raw.destroyed || raw.closed) {
    body.destroy();
    return reply;
  }
  let sent = 0;
  const fail = (error: Error): void => {
    onError(error);
    raw.destroy();
  };
  raw.writeHead(reply.statusCode, {
    ...(reply.getHeaders() as Record<string, string | number>), // headers set here have a single value
    'content-length': bytes,
  });
  startStallTimer(raw);
  raw.once('close', () => body.destroy());
  raw.on('drain', () => body.resume());
  body.once('error', fail);
  body.once('end', () => {
    if (sent < bytes) fail(new Error(`the body ended after ${sent} of ${bytes} bytes`));
    else if (!raw.writableEnded) raw.end();
  });
  body.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, bytes - sent);
    sent += part.byteLength;
    if (sent === bytes) raw.end(part);
    else if (!raw.write(part)) body.pause();
  });
  return reply;
}
