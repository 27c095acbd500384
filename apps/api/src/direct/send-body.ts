import type { GatewayError, ResponseBody } from '@sluice/canonical';
import { abortReason } from '../http/abort-requests.ts';
import { abortResponse } from '../http/abort-response.ts';
import { startStallTimer, stopStallTimer } from '../http/stalled-readers.ts';
import { scrubbedFailure } from '../routing/upstream-failure.ts';
import type { DirectCall } from './direct-deps.ts';

/** `unfinished`: without its final event. Undefined: complete. */
export type BodyEnd = GatewayError | 'disconnected' | 'unfinished' | undefined;

export interface SentBody {
  headers: Readonly<Record<string, string>>;
  contentType: string;
  body: ResponseBody;
  /** Encodes each chunk; absent: chunks are sent unchanged. */
  format?(this: void, chunk: Uint8Array): Uint8Array | string;
  /** The text after the last chunk. Undefined: the body is incomplete, and the connection is aborted. */
  finalText?(this: void): string | undefined;
  /** The final text if the process stops; absent: the connection is aborted. */
  abortText?(this: void, reason: GatewayError): string;
}

/** A body that breaks off aborts the connection, because a normal end would mark it as complete. */
export function sendBody({ reply, signal }: Pick<DirectCall, 'reply' | 'signal'>, sent: SentBody): Promise<BodyEnd> {
  const { raw } = reply;
  const { body, format, finalText, abortText, headers, contentType } = sent;
  const isDisconnected = (): boolean => raw.destroyed || raw.closed;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string | number>), // headers set here have a single value
    ...headers,
    'content-type': contentType,
    ...(contentType.startsWith('text/event-stream') && { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }),
  });
  return new Promise((resolve) => {
    const fail = (error: unknown): void => {
      const reason = abortReason(signal);
      if (reason && abortText) raw.end(abortText(reason));
      else if (signal.aborted && !reason) raw.destroy();
      else abortResponse(raw);
      resolve(signal.aborted ? 'disconnected' : scrubbedFailure(error, (text) => text));
    };
    signal.addEventListener('abort', () => body.abort(), { once: true });
    raw.on('drain', () => {
      if (!raw.writableEnded) stopStallTimer(raw);
      body.resume();
    });
    body.feed({
      data: (chunk) => {
        const formatted = format?.(chunk) ?? chunk;
        const wantsMore = formatted.length === 0 || isDisconnected() || raw.write(formatted);
        if (!wantsMore) startStallTimer(raw);
        return wantsMore;
      },
      end: () => {
        const rest = finalText?.() ?? (finalText === undefined ? '' : undefined);
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
