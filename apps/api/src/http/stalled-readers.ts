import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const STALL_MS = 60_000;
/** Shorter responses fit into the system's buffers and occupy no memory for long. */
const LONG_BYTES = 64 * 1024;

export function disconnectStalledReaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > LONG_BYTES;
    if (isLong || payload instanceof Readable) startStallTimer(raw);
    done();
  });
}

/** Without a `timeout` listener, Node closes the socket itself. It resets the timeout after the response. */
export function startStallTimer({ socket }: ServerResponse): void {
  socket?.setTimeout(STALL_MS);
}

export function stopStallTimer({ socket }: ServerResponse): void {
  socket?.setTimeout(0);
}
