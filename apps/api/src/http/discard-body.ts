import type { IncomingMessage, ServerResponse } from 'node:http';

/** For so long after an early answer a client may go on sending; then its connection is cut. */
const LINGER_MS = 2_000;

/**
 * Deals with what a client still sends although it has its answer already. Closing at once would reset the connection
 * and could take the answer with it, so the rest is thrown away for a moment first; a client that has stopped by then
 * keeps its connection.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const { socket } = request;
  response.once('finish', () => {
    request.unpipe();
    request.resume();
    const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    for (const end of ['end', 'close'] as const) request.once(end, () => clearTimeout(cut));
  });
}
