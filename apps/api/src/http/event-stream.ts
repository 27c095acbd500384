import type { FastifyReply } from 'fastify';
import { stopStallTimer, startStallTimer } from './stalled-readers.ts';

export interface EventStream {
  /** Whether the head has been sent: from then on, errors are sent inside the stream. */
  isBegun: boolean;
  begin(headers: Readonly<Record<string, string>>): void;
  /** @returns false if the client reads too slowly: wait for {@link onDrain} */
  write(text: string, encoding: 'latin1' | 'utf8'): boolean;
  onDrain(callback: () => void): void;
  end(rest?: readonly Uint8Array[]): void;
  /** Returns the response to the framework; allowed only before the head is sent. */
  cancel(): void;
}

export interface EventStreamOptions {
  contentType: string;
  /** Milliseconds without a write after which {@link keepAlive} is sent, also before the first byte. */
  keepAliveMs: number;
  keepAlive: () => string;
}

/**
 * Sends nothing before the first write or `keepAliveMs`, so that an early error can still be sent as an HTTP status.
 */
export function openEventStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  const { raw } = reply;
  let isQuiet = true;
  /** A disconnected client discards writes and never emits `drain`. */
  const isDisconnected = () => raw.destroyed || raw.closed;
  const timer = setInterval(() => {
    if (isDisconnected()) clearInterval(timer);
    else if (isQuiet && !raw.writableNeedDrain) {
      stream.begin({});
      raw.write(options.keepAlive());
    }
    isQuiet = true;
  }, options.keepAliveMs).unref();
  raw.once('close', () => clearInterval(timer));
  raw.on('drain', () => {
    if (!raw.writableEnded) stopStallTimer(raw);
  });

  const stream: EventStream = {
    isBegun: false,
    begin: (headers) => {
      if (stream.isBegun) return;
      stream.isBegun = true;
      reply.hijack();
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string | number>), // headers set here have a single value
        ...headers,
        'content-type': options.contentType,
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      });
    },
    write: (text, encoding) => {
      isQuiet = false;
      const wantsMore = isDisconnected() || raw.write(text, encoding);
      if (!wantsMore) startStallTimer(raw);
      return wantsMore;
    },
    onDrain: (callback) => void raw.on('drain', callback),
    end: (rest = []) => {
      clearInterval(timer);
      startStallTimer(raw);
      for (const chunk of rest) raw.write(chunk);
      raw.end();
    },
    cancel: () => clearInterval(timer),
  };
  return stream;
}
