import type { FastifyReply } from 'fastify';
import { abortReason } from './abort-requests.ts';
import { clientDisconnected } from './client-disconnected.ts';
import { nestingError } from './nesting-error.ts';

/** @throws GatewayError for the client, unless the client has disconnected */
export async function untilDisconnected(
  reply: FastifyReply,
  serve: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  // Before the first await: `close` is emitted once.
  const signal = clientDisconnected(reply);
  try {
    return await serve(signal);
  } catch (error) {
    const aborted = abortReason(signal);
    if (aborted) throw aborted;
    // No client is left to send an error to.
    if (signal.aborted) return reply.hijack();
    throw nestingError(error, reply.request.body) ?? error;
  }
}
