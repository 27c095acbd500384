import type { IncomingMessage, ServerResponse } from 'node:http';

/** After an early response, a client may send for this long before its connection is closed. */
const LINGER_MS = 2_000;

/**
 * Handles a client that still sends after its response. Closing at once would reset the connection and could lose the
 * response, so the rest of the body is discarded for a while. A client that stops in time keeps its connection.
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
