import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** A client that takes nothing of what is sent to it for so long is let go. */
const STALL_MS = 60_000;
/** Shorter answers are taken by the system at once, or nearly: they hold no memory for long. */
const LONG_BYTES = 64 * 1024;

/** Lets clients go that do not read the answers which the framework sends: streams, and what is long. */
export function disconnectStalledReaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > LONG_BYTES;
    if (isLong || payload instanceof Readable) startStallTimer(raw);
    done();
  });
}

/**
 * From now on the client has to read. Without a listener of ours Node closes a socket that times out; once the answer is
 * through it sets its own time again.
 */
export function startStallTimer({ socket }: ServerResponse): void {
  socket?.setTimeout(STALL_MS);
}

/** There is nothing to be read for now. */
export function stopStallTimer({ socket }: ServerResponse): void {
  socket?.setTimeout(0);
}
