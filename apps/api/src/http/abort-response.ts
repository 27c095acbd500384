import type { ServerResponse } from 'node:http';

/** How long a client may take to receive the data already written. */
const LINGER_MS = 5_000;

/**
 * Sends the data already written, then closes the connection without a final chunk, so that the response does not look
 * complete.
 */
export function abortResponse(raw: ServerResponse): void {
  const { socket } = raw;
  if (!socket || socket.destroyed) return void raw.destroy();
  raw.flushHeaders();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
  socket.destroySoon();
}
