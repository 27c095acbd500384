import type { ResponseBody, GatewayError } from '@sluice/canonical';
import { abortResponse } from '../http/abort-response.ts';
import { abortReason } from '../http/abort-requests.ts';
import { stopStallTimer, startStallTimer } from '../http/stalled-readers.ts';
import { scrubbedFailure } from '../routing/upstream-failure.ts';
import type { DirectClientCall } from './direct-services.ts';

/**
 * How a body came to its end: why it broke off, that the client has left, or that it ended before its own end. Undefined: it is
 * whole.
 */
export type BodyEnd = GatewayError | 'left' | 'unfinished' | undefined;

/** A body on its way to a client. */
export interface SentBody {
  headers: Readonly<Record<string, string>>;
  contentType: string;
  body: ResponseBody;
  /** What is written instead of each piece; absent: the piece. */
  format?(this: void, chunk: Uint8Array): Uint8Array | string;
  /** What is written last. Undefined: the body ended before its end, and the connection is broken off. */
  last?(this: void): string | undefined;
  /** What is written last when the process stops; absent: the connection is broken off. */
  cut?(this: void, why: GatewayError): string;
}

/**
 * Sends a body as it comes. The client's pace is the upstream's: what is not read is not asked for. A body that breaks off
 * breaks the connection off, which is the only way left to say so: an answer that just ended would count as whole.
 */
export function sendBody({ reply, signal }: DirectClientCall, sent: SentBody): Promise<BodyEnd> {
  const { raw } = reply;
  const { body, format, last, cut, headers, contentType } = sent;
  const isDisconnected = (): boolean => raw.destroyed || raw.closed;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string | number>), // none of ours has several values
    ...headers,
    'content-type': contentType,
    ...(contentType.startsWith('text/event-stream') && { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }),
  });
  return new Promise((resolve) => {
    const fail = (error: unknown): void => {
      const why = abortReason(signal);
      if (why && cut) raw.end(cut(why));
      else if (signal.aborted && !why) raw.destroy();
      else abortResponse(raw);
      resolve(signal.aborted ? 'left' : scrubbedFailure(error, (text) => text));
    };
    signal.addEventListener('abort', () => body.abort(), { once: true });
    raw.on('drain', () => {
      if (!raw.writableEnded) stopStallTimer(raw);
      body.resume();
    });
    body.feed({
      data: (chunk) => {
        const spelt = format?.(chunk) ?? chunk;
        const wantsMore = spelt.length === 0 || isDisconnected() || raw.write(spelt);
        if (!wantsMore) startStallTimer(raw);
        return wantsMore;
      },
      end: () => {
        const rest = last?.() ?? (last === undefined ? '' : undefined);
        if (rest === undefined) abortResponse(raw);
        else {
          startStallTimer(raw);
          raw.end(rest);
        }
        resolve(rest === undefined ? 'unfinished' : undefined);
      },
      fail,
    });
  });
}
