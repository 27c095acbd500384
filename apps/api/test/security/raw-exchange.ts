import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Exchange {
  /** The status of each response, excluding interim responses. */
  statuses: number[];
  /** All received bytes. */
  text: string;
  /** Whether the server has closed the connection. */
  closed: boolean;
}

export interface ExchangeOptions {
  /** Pause between two chunks, in milliseconds. */
  pauseMs?: number;
  /** Disconnects after the last chunk, with a FIN or with a reset. */
  disconnect?: 'end' | 'reset';
  /** Number of responses to wait for. By default, waits until the server closes the connection. */
  responses?: number;
}

/** How long to wait for a server that neither responds nor closes the connection. */
const PATIENCE_MS = 20_000;

/** Sends bytes on a separate connection and returns the responses. */
export async function rawExchange(
  port: number,
  chunks: readonly (string | Buffer)[],
  { pauseMs = 0, disconnect, responses = Number.POSITIVE_INFINITY }: ExchangeOptions = {},
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
  // The server may reset a connection that sends malformed data.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
    done.resolve();
  });
  for (const [at, chunk] of chunks.entries()) {
    if (at > 0 && pauseMs > 0) await sleep(pauseMs);
    if (!socket.destroyed) socket.write(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  }
  if (disconnect === 'reset') socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()));
  else if (disconnect === 'end') socket.end();
  const patience = setTimeout(() => done.resolve(), PATIENCE_MS);
  await done.promise;
  clearTimeout(patience);
  const closedByServer = closed;
  socket.destroy();
  return { statuses: statusesOf(text), text, closed: closedByServer };
}

function statusesOf(text: string): number[] {
  // Response bodies are single-line JSON and never contain a status line.
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])).filter((status) => status !== 100);
}
