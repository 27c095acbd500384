import { Readable } from 'node:stream';
import { DownloadError } from './download-error.ts';
import { discard } from './send-request.ts';

/** Limits of a body. */
export interface BodyLimits {
  maxBytes: number;
  /** Longest wait for the next piece, in milliseconds; a slow reader on our side does not count. */
  idleMs: number;
  /** Ends the body. */
  signal: AbortSignal;
}

/**
 * Puts limits around a response body. The stream holds at most one buffer; destroying it closes the connection.
 * It fails with a {@link DownloadError}; nobody has to listen for that.
 */
export function guardBody(source: Readable, limits: BodyLimits): Readable {
  const { maxBytes, idleMs, signal } = limits;
  // A response body of undici yields buffers alone.
  const chunks = (source as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let bytes = 0;

  const pull = async (): Promise<void> => {
    const idle = setTimeout(() => body.destroy(new DownloadError('idle')), idleMs);
    try {
      const chunk = await chunks.next();
      if (body.destroyed) return;
      if (chunk.done === true) return void body.push(null);
      bytes += chunk.value.byteLength;
      if (bytes > maxBytes) return void body.destroy(new DownloadError('too_large'));
      body.push(chunk.value);
    } catch (cause) {
      body.destroy(new DownloadError('network', { cause }));
    } finally {
      clearTimeout(idle);
    }
  };

  const onAbort = (): void => void body.destroy(new DownloadError('aborted', { cause: signal.reason }));
  const body = new Readable({
    highWaterMark: 64 * 1024,
    read: () => void pull(),
    destroy: (error, done) => {
      signal.removeEventListener('abort', onAbort);
      discard(source);
      done(error);
    },
  });
  // An aborted body that nobody reads any more must not bring the process down.
  body.on('error', () => undefined);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return body;
}
