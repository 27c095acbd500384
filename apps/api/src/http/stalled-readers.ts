import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** A client that reads nothing for this long is disconnected. */
const STALL_MS = 60_000;
/** Shorter responses fit into the system's buffers and occupy no memory for long. */
const LONG_BYTES = 64 * 1024;

/** Disconnects clients that stall while the framework sends a stream or a long response. */
export function disconnectStalledReaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > LONG_BYTES;
    if (isLong || payload instanceof Readable) startStallTimer(raw);
    done();
  });
}

/**
 * Starts the timer within which the client must read. Without a `timeout` listener, Node closes the socket itself, and
 * it
 * resets the timeout after the response.
 */
export function startStallTimer({ socket }: ServerResponse): void {
  socket?.setTimeout(STALL_MS);
}

export function stopStallTimer({ socket }: ServerResponse): void {
  socket?.setTimeout(0);
}
