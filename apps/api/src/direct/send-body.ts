import type { GatewayError, ResponseBody } from '@sluice/canonical';
import { abortReason } from '../http/abort-requests.ts';
import { abortResponse } from '../http/abort-response.ts';
import { startStallTimer, stopStallTimer } from '../http/stalled-readers.ts';
import { scrubbedFailure } from '../routing/upstream-failure.ts';
import type { DirectCall } from './direct-deps.ts';

/** `unfinished` means that the body ended without its final event. Undefined means that the body is complete. */
export type BodyEnd = GatewayError | 'disconnected' | 'unfinished' | undefined;

export interface SentBody {
  headers: Readonly<Record<string, string>>;
  contentType: string;
  body: ResponseBody;
  /** Encodes each chunk. If omitted, chunks are sent unchanged. */
  format?(this: void, chunk: Uint8Array): Uint8Array | string;
  /**
   * Returns the text to send after the last chunk. If it returns undefined, the body is incomplete and the connection
   * is aborted.
   */
  finalText?(this: void): string | undefined;
  /** Returns the final text to send when the process stops. If omitted, the connection is aborted. */
  abortText?(this: void, reason: GatewayError): string;
}

/** If the body is cut short, the connection is aborted, because ending it normally would mark the body as complete. */
export function sendBody({ reply, signal }: Pick<DirectCall, 'reply' | 'signal'>, sent: SentBody): Promise<BodyEnd> {
  const { raw } = reply;
  const { body, format, finalText, abortText, headers, contentType } = sent;
  const isDisconnected = (): boolean => raw.destroyed || raw.closed;
  reply.hijack();
  raw.writeHead(200, {
    // The cast is safe because each header set here has a single value.
    ...(reply.getHeaders() as Record<string, string | number>),
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
        reply.request.firstEventMs ??= reply.elapsedTime;
        const formatted = format?.(chunk) ?? chunk;
        const shouldContinue = formatted.length === 0 || isDisconnected() || raw.write(formatted);
        if (!shouldContinue) startStallTimer(raw);
        return shouldContinue;
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
