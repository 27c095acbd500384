import { validateHeaderValue } from 'node:http';
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
  /** @throws TypeError if a trailer's value is not a valid header value */
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
      send(options.keepAlive(), 'utf8');
    }
    isQuiet = true;
  }, options.keepAliveMs).unref();
  raw.once('close', () => clearInterval(timer));
  raw.on('drain', () => {
    if (!raw.writableEnded) stopStallTimer(raw);
  });

  /**
   * Whether this code frames the chunks (RFC 9112, section 7.1). Node would pass each of them to the socket in four
   * pieces, which takes longer than the rest of an event.
   */
  let isChunked = false;
  const send = (text: string, encoding: 'latin1' | 'utf8'): boolean => {
    if (!isChunked) return raw.write(text, encoding);
    if (text === '') return true; // An empty chunk would end the response.
    const bytes = encoding === 'latin1' ? text.length : Buffer.byteLength(text);
    return raw.write(`${bytes.toString(16)}\r\n${text}\r\n`, encoding);
  };

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
        ...(raw.useChunkedEncodingByDefault && { 'transfer-encoding': 'chunked' }),
      });
      isChunked = raw.chunkedEncoding;
      raw.chunkedEncoding = false;
    },
    write: (text, encoding) => {
      isQuiet = false;
      reply.request.firstEventMs ??= reply.elapsedTime;
      const shouldContinue = isDisconnected() || send(text, encoding);
      if (!shouldContinue) startStallTimer(raw);
      return shouldContinue;
    },
    onDrain: (callback) => void raw.on('drain', callback),
    end: (rest = [], trailers = {}) => {
      clearInterval(timer);
      startStallTimer(raw);
      let last = '';
      for (const chunk of rest)
        last += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
      send(last, 'latin1');
      const fields = Object.entries(trailers).map(([name, value]) => {
        validateHeaderValue(name, value);
        return `${name}: ${value}\r\n`;
      });
      raw.end(isChunked ? `0\r\n${fields.join('')}\r\n` : undefined, 'latin1');
    },
    cancel: () => clearInterval(timer),
  };
  return stream;
}
