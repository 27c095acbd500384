import type { FastifyReply } from 'fastify';
import { stopStallTimer, startStallTimer } from './stalled-readers.ts';

export interface EventStream {
  /** Whether the response head has been sent. Later errors are sent inside the stream. */
  hasStarted: boolean;
  /** @param trailer name of a trailer that may be passed to {@link end} */
  begin(headers: Readonly<Record<string, string>>, trailer?: string): void;
  /** @returns false if the client reads too slowly; then wait for {@link onDrain} */
  write(text: string, encoding: 'latin1' | 'utf8'): boolean;
  onDrain(callback: () => void): void;
  end(rest?: readonly Uint8Array[], trailers?: Readonly<Record<string, string>>): void;
  /** Returns the response to Fastify. Only allowed before the head is sent. */
  cancel(): void;
}

export interface EventStreamOptions {
  contentType: string;
  /** After this many milliseconds without a write, {@link keepAlive} is sent, even before the first byte. */
  keepAliveMs: number;
  keepAlive: () => string;
  /** Name of a trailer that is announced if a keep-alive sends the head. */
  trailer?: string;
}

/**
 * Sends nothing until the first write or until `keepAliveMs` has passed. An earlier error can still be sent as an HTTP
 * status.
 */
export function openEventStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  const { raw } = reply;
  let isQuiet = true;
  /** A disconnected client discards writes and never emits `drain`. */
  const isDisconnected = () => raw.destroyed || raw.closed;
  const timer = setInterval(() => {
    if (isDisconnected()) clearInterval(timer);
    else if (isQuiet && !raw.writableNeedDrain) {
      stream.begin({}, options.trailer);
      raw.write(options.keepAlive());
    }
    isQuiet = true;
  }, options.keepAliveMs).unref();
  raw.once('close', () => clearInterval(timer));
  raw.on('drain', () => {
    if (!raw.writableEnded) stopStallTimer(raw);
  });

  const stream: EventStream = {
    hasStarted: false,
    begin: (headers, trailer) => {
      if (stream.hasStarted) return;
      stream.hasStarted = true;
      reply.request.bodyMemory?.release();
      reply.hijack();
      raw.writeHead(200, {
        // The cast is safe because these headers each have a single value.
        ...(reply.getHeaders() as Record<string, string | number>),
        ...headers,
        'content-type': options.contentType,
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
        // HTTP/1.0 has no chunks, and therefore no trailers.
        ...(trailer !== undefined && raw.useChunkedEncodingByDefault && { trailer }),
      });
    },
    write: (text, encoding) => {
      isQuiet = false;
      const shouldContinue = isDisconnected() || raw.write(text, encoding);
      if (!shouldContinue) startStallTimer(raw);
      return shouldContinue;
    },
    onDrain: (callback) => void raw.on('drain', callback),
    end: (rest = [], trailers = {}) => {
      clearInterval(timer);
      startStallTimer(raw);
      for (const chunk of rest) raw.write(chunk);
      raw.addTrailers(trailers);
      raw.end();
    },
    cancel: () => clearInterval(timer),
  };
  return stream;
}
