import type { Readable } from 'node:stream';
import { discard } from './send-request.ts';

export class ResponseTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.name = 'ResponseTooLargeError';
  }
}

/**
 * Reads a complete response and parses it. Returns `undefined` if it is not JSON.
 * @throws {ResponseTooLargeError} above `maxBytes`; rethrows connection errors. In either case, the body is aborted.
 */
export async function readResponse(body: Readable, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // The cast is safe because undici response bodies yield only buffers.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new ResponseTooLargeError(maxBytes);
      chunks.push(chunk);
    }
  } finally {
    discard(body);
  }
  return parseJson(Buffer.concat(chunks));
}

/** Returns `undefined` if the bytes are not JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}
