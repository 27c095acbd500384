import type { GatewayError } from '@sluice/canonical';
import type { EncodeError } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import { discardBody } from './discard-body.ts';

const DEFAULT_RETRY_MS = 1_000;

export type StatusOfError = (error: Pick<GatewayError, 'code' | 'status'>) => number;

/**
 * Sends an error with the headers that published SDKs read, in this order: `x-should-retry`, `retry-after-ms`, and
 * `retry-after` (openai-node 7, `client.ts`).
 */
export function sendError(
  reply: FastifyReply,
  error: GatewayError,
  encode: EncodeError,
  statusOf: StatusOfError = ({ status }) => status,
): FastifyReply {
  void reply.header('x-should-retry', String(error.retryable));
  if (error.retryable) {
    const retryAfterMs = error.retryAfterMs ?? DEFAULT_RETRY_MS;
    void reply.header('retry-after-ms', String(retryAfterMs));
    void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1_000))));
  }
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer');
  const { raw } = reply.request;
  if (!raw.complete) {
    // Fastify adds `connection: close`, which would reset the connection of a client that is still sending.
    void reply.removeHeader('connection');
    discardBody(raw, reply.raw);
  }
  void reply.type('application/json; charset=utf-8');
  if (error.original) return reply.code(error.original.status).send(error.original.body);
  return reply.code(statusOf(error)).send(encode(error, reply.request.id));
}
