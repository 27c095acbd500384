import type { IncomingMessage, ServerResponse } from 'node:http';

/** After an early response, the client can send for this long before the connection is closed. */
const LINGER_MS = 2_000;

/**
 * Reads and discards the data that a client still sends after its response. Closing the connection immediately would
 * reset it and could lose the response.
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
