import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { startStallTimer } from '../stalled-readers.ts';

/**
 * Sends a body of known length. The last chunk ends the response in the same write, because a client that has all bytes
 * may close the connection immediately, and an unfinished response would be recorded as aborted.
 * @param onError called if the body is cut short, which aborts the response
 */
export function sendSized(
  reply: FastifyReply,
  body: Readable,
  bytes: number,
  onError: (error: Error) => void,
): FastifyReply {
  const { raw } = reply;
  void reply.header('content-length', bytes);
  reply.hijack();
  // The client may already have disconnected, and no further event would report it.
  if (raw.destroyed || raw.closed) {
    body.destroy();
    return reply;
  }
  let sent = 0;
  const fail = (error: Error): void => {
    onError(error);
    raw.destroy();
  };
  // The cast is safe because these headers each have a single value.
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string | number>);
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
