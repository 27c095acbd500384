import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const STALL_MS = 60_000;
/** Shorter responses fit into the system's socket buffers, so they occupy the process's memory only briefly. */
const LONG_BYTES = 64 * 1024;

export function disconnectStalledReaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > LONG_BYTES;
    if (isLong || payload instanceof Readable) startStallTimer(raw);
    done();
  });
}

/** Node closes a socket that times out and has no `timeout` listener. Node resets the timeout after the response. */
export function startStallTimer({ socket }: ServerResponse): void {
  socket?.setTimeout(STALL_MS);
}

export function stopStallTimer({ socket }: ServerResponse): void {
  socket?.setTimeout(0);
}
