import type { FastifyReply } from 'fastify';

/**
 * Aborts when the client disconnects before it has the complete response, or when the process stops (see
 * `abortReason`).
 */
export function clientDisconnected({ raw, request }: Pick<FastifyReply, 'raw' | 'request'>): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!raw.writableFinished) controller.abort();
  };
  const abortWork: typeof request.abortWork = (reason) => controller.abort(reason);
  request.abortWork = abortWork;
  // `close` is emitted only once, so a listener added later would never run.
  if (raw.destroyed || raw.closed) onClose();
  else raw.once('close', onClose);
  return controller.signal;
}
