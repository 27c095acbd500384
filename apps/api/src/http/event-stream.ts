import type { FastifyReply } from 'fastify';
import { stopStallTimer, startStallTimer } from './stalled-readers.ts';

/** A stream of events on its way to a client. */
export interface EventStream {
  /** Whether the status line has gone out: from then on, errors are told inside the stream. */
  isBegun: boolean;
  /** Sends the head; later calls do nothing. */
  begin(headers: Readonly<Record<string, string>>): void;
  /**
   * @returns false when the client reads more slowly than we write: wait for {@link onDrain}. One that left holds nobody
   *   up, and one that reads nothing for long is let go.
   */
  write(text: string, encoding: 'latin1' | 'utf8'): boolean;
  /** Calls back whenever the client has caught up. */
  onDrain(callback: () => void): void;
  /** @param rest what is still to be written */
  end(rest?: readonly Uint8Array[]): void;
  /** Gives the answer back to the framework; only while it has not begun. */
  cancel(): void;
}

/** What {@link openEventStream} needs. */
export interface EventStreamOptions {
  contentType: string;
  /** Silence after which {@link keepAlive} is written, also before the first byte; milliseconds. */
  keepAliveMs: number;
  keepAlive: () => string;
}

/**
 * Takes an answer out of the framework's hands and writes it piece by piece. Nothing is sent before there is something to
 * say or `keepAliveMs` have passed, so that an early failure can still be answered with a status.
 */
export function openEventStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  const { raw } = reply;
  let isQuiet = true;
  /** Whether the client has left; what is written then goes nowhere, and nothing tells when to go on. */
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
        ...(reply.getHeaders() as Record<string, string | number>), // none of ours has several values
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
