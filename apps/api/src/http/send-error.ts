import type { GatewayError } from '@sluice/canonical';
import type { EncodeError } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';

const DEFAULT_RETRY_MS = 1_000;

/**
 * Answers with an error in the called protocol's shape. Published SDKs read `x-should-retry`, `retry-after-ms` and
 * `retry-after`, in this order (openai-node 7, `client.ts`).
 */
export function sendError(reply: FastifyReply, error: GatewayError, encode: EncodeError): FastifyReply {
  void reply.header('x-should-retry', String(error.retryable));
  if (error.retryable) {
    const retryAfterMs = error.retryAfterMs ?? DEFAULT_RETRY_MS;
    void reply.header('retry-after-ms', String(retryAfterMs));
    void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1_000))));
  }
  return reply.code(error.status).type('application/json; charset=utf-8').send(encode(error));
}
