import { Readable } from 'node:stream';
import { ContentTooLargeError } from '@sluice/canonical';
import { DownloadError } from './download-error.ts';
import { discard } from '../send-request.ts';

export interface BodyLimits {
  maxBytes: number;
  /** Maximum time to wait for the next chunk, in milliseconds. Time spent waiting for the reader is excluded. */
  idleMs: number;
  signal: AbortSignal;
}

/**
 * Limits a response body. The stream buffers only one chunk. Destroying the stream closes the connection. It fails with
 * a {@link DownloadError}, or with a `ContentTooLargeError` above the limit. It needs no error listener.
 */
export function guardBody(source: Readable, limits: BodyLimits): Readable {
  const { maxBytes, idleMs, signal } = limits;
  // The cast is safe because undici response bodies yield only buffers.
  const chunks = (source as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let bytes = 0;

  const pull = async (): Promise<void> => {
    const idle = setTimeout(() => body.destroy(new DownloadError('idle')), idleMs);
    try {
      const chunk = await chunks.next();
      if (body.destroyed) return;
      if (chunk.done === true) return void body.push(null);
      bytes += chunk.value.byteLength;
      if (bytes > maxBytes) return void body.destroy(new ContentTooLargeError(maxBytes));
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
  // Without this listener, an aborted body without a reader would crash the process.
  body.on('error', () => undefined);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return body;
}
