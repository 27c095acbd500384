import type { FastifyReply } from 'fastify';
import { abortReason } from './abort-requests.ts';
import { clientDisconnected } from './client-disconnected.ts';

/** @throws GatewayError to send to the client, unless the client has disconnected */
export async function untilDisconnected(
  reply: FastifyReply,
  serve: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  // Created before the first await, because `close` is emitted only once.
  const signal = clientDisconnected(reply);
  try {
    return await serve(signal);
  } catch (error) {
    const aborted = abortReason(signal);
    if (aborted) throw aborted;
    // The client has disconnected, so no error can be sent.
    if (signal.aborted) return reply.hijack();
    throw error;
  }
}
