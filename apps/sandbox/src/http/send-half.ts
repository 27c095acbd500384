import type { FastifyReply } from 'fastify';

/** Sends the `content-length` of all bytes but only half of them, and then drops the connection. */
export function sendHalf(
  reply: FastifyReply,
  bytes: Buffer,
  { status = 200, headers }: { status?: number; headers?: Record<string, string | number> } = {},
  drop: () => void = () => reply.raw.destroy(),
): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(status, headers ?? { 'content-type': 'application/json', 'content-length': bytes.length });
  reply.raw.write(bytes.subarray(0, bytes.length >> 1), drop);
  return reply;
}
