import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendHalf } from '../../http/send-half.ts';
import { DIRECTIVE_LIMITS } from '../../directives/media-directives.ts';

export function dropConnection(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/**
 * Sends one of several kinds of invalid responses, all of which vendors or resellers have sent.
 * @param turn number of the call, starting at 1; it selects the kind.
 */
export function sendGarbage(reply: FastifyReply, turn: number, body: unknown): FastifyReply {
  const kind = turn % DIRECTIVE_LIMITS.garbled;
  if (kind === 1) return reply.send(body);
  if (kind === 2) return reply.type('text/html').send('<html><body>One moment, please</body></html>');
  const text = JSON.stringify(body);
  return reply.type('application/json').send(text.slice(0, Math.floor(text.length / 2)));
}

export function sendHalfJson(reply: FastifyReply, body: unknown): FastifyReply {
  return sendHalf(reply, Buffer.from(JSON.stringify(body)));
}
