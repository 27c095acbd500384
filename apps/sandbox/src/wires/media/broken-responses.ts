import type { FastifyReply, FastifyRequest } from 'fastify';
import { GARBLED_POLLS } from '../../directives/media-directives.ts';

export function dropConnection(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/** The n-th garbled response, from 1. Each kind was seen at a vendor or a reseller. */
export function sendGarbage(reply: FastifyReply, turn: number, body: unknown): FastifyReply {
  if (turn % GARBLED_POLLS === 1) return reply.send(body);
  if (turn % GARBLED_POLLS === 2) return reply.type('text/html').send('<html><body>One moment, please</body></html>');
  const text = JSON.stringify(body);
  return reply.type('application/json').send(text.slice(0, Math.floor(text.length / 2)));
}

export function sendHalfJson(reply: FastifyReply, body: unknown): FastifyReply {
  const bytes = Buffer.from(JSON.stringify(body));
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  reply.raw.write(bytes.subarray(0, bytes.length >> 1), () => reply.raw.destroy());
  return reply;
}
