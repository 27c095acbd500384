import type { FastifyReply } from 'fastify';

/** Aborts when the client leaves before it has its answer; at once when it has left already. */
export function clientGone({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (!raw.writableFinished) gone.abort();
  };
  // `close` is told once.
  if (raw.destroyed || raw.closed) leave();
  else raw.once('close', leave);
  return gone.signal;
}
