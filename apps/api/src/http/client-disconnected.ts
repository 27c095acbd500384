import type { FastifyReply } from 'fastify';

/**
 * Aborts when the client leaves before it has its answer; at once when it has left already. Also when the process stops
 * and cuts the request off: `abortReason` then tells why.
 */
export function clientDisconnected({ raw, request }: Pick<FastifyReply, 'raw' | 'request'>): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (!raw.writableFinished) gone.abort();
  };
  request.abortWork = (why) => gone.abort(why);
  // `close` is told once.
  if (raw.destroyed || raw.closed) leave();
  else raw.once('close', leave);
  return gone.signal;
}
