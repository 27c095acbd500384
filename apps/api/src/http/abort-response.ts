import type { ServerResponse } from 'node:http';

/** Time for written data to be sent to a client that may not read. */
const LINGER_MS = 5_000;

/** Sends written data, then closes the connection without the end that would make the response count as complete. */
export function abortResponse(raw: ServerResponse): void {
  const { socket } = raw;
  if (!socket || socket.destroyed) return void raw.destroy();
  raw.flushHeaders();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
  socket.destroySoon();
}
