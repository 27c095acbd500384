import type { ServerResponse } from 'node:http';

/** For what was said to leave; a client that does not read is not waited for. */
const LINGER_MS = 5_000;

/**
 * Breaks an answer off: the connection closes without the end that would make the answer count as whole. What has been
 * written leaves first, or a client could not tell an answer that broke off from none.
 */
export function abortResponse(raw: ServerResponse): void {
  const { socket } = raw;
  if (!socket || socket.destroyed) return void raw.destroy();
  raw.flushHeaders();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
  socket.destroySoon();
}
