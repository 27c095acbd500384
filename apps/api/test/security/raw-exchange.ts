import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What became of a connection. */
export interface Exchange {
  /** The status of each answer, interim ones left out. */
  statuses: number[];
  /** Everything that came. */
  text: string;
  /** Whether the server closed it. */
  closed: boolean;
}

/** How to behave on a connection. */
export interface ExchangeOptions {
  /** Milliseconds between the pieces. */
  pauseMs?: number;
  /** Hang up once all is sent: with FIN, or rudely. */
  leave?: 'end' | 'reset';
  /** Stop waiting after so many answers; default: once the server closes the connection. */
  responses?: number;
}

/** Longest wait for a server that neither answers nor closes. */
const PATIENCE_MS = 20_000;

/** Writes bytes on a connection of its own, and tells what came back. */
export async function rawExchange(
  port: number,
  chunks: readonly (string | Buffer)[],
  { pauseMs = 0, leave, responses = Number.POSITIVE_INFINITY }: ExchangeOptions = {},
): Promise<Exchange> {
  let text = '';
  let closed = false;
  const done = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk.toString();
    if (statusesOf(text).length >= responses && /\r\n\r\n/.test(text)) done.resolve();
  });
  // A server may well reset whoever writes nonsense.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
    done.resolve();
  });
  for (const [at, chunk] of chunks.entries()) {
    if (at > 0 && pauseMs > 0) await sleep(pauseMs);
    if (!socket.destroyed) socket.write(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  }
  if (leave === 'reset') socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()));
  else if (leave === 'end') socket.end();
  const patience = setTimeout(() => done.resolve(), PATIENCE_MS);
  await done.promise;
  clearTimeout(patience);
  const closedByServer = closed;
  socket.destroy();
  return { statuses: statusesOf(text), text, closed: closedByServer };
}

function statusesOf(text: string): number[] {
  // Bodies of ours are JSON on one line: no status line can stand in one.
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])).filter((status) => status !== 100);
}
