import type { Readable } from 'node:stream';
import { discard } from './send-request.ts';

/** The answer is longer than allowed. */
export class ResponseTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.name = 'ResponseTooLargeError';
  }
}

/**
 * Reads a whole answer and parses it as JSON. `undefined` when it is no JSON.
 * @throws {ResponseTooLargeError} past `maxBytes`; whatever the connection throws. The body is given up then.
 */
export async function readResponse(body: Readable, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // A response body of undici yields buffers alone.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new ResponseTooLargeError(maxBytes);
      chunks.push(chunk);
    }
  } finally {
    discard(body);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}
