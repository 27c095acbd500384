import type { IncomingMessage, ServerResponse } from 'node:http';

/** After an early response, a client may send for this long before its connection is closed. */
const LINGER_MS = 2_000;

/**
 * Discards what a client still sends after its response. Closing at once would reset the connection and could lose the
 * response.
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
