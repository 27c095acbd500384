import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ResponseTooLargeError, readResponse } from './read-response.ts';

function bodyOf(...chunks: string[]): Readable {
  return Readable.from(
    chunks.map((chunk) => Buffer.from(chunk, 'latin1')),
    { objectMode: false },
  );
}

describe('readResponse', () => {
  it('parses JSON split anywhere, even within a character', async () => {
    const bytes = Buffer.from('{"a":"ü"}').toString('latin1');
    expect(await readResponse(bodyOf(...Array.from(bytes)), 100)).toEqual({ a: 'ü' });
  });

  it('returns undefined for an empty or non-JSON body', async () => {
    expect(await readResponse(bodyOf('{"a":'), 100)).toBeUndefined();
    expect(await readResponse(bodyOf(), 100)).toBeUndefined();
  });

  it('aborts one byte past the limit', async () => {
    expect(await readResponse(bodyOf('"12', '345"'), 7)).toBe('12345');
    const body = bodyOf('"12', '345"');
    await expect(readResponse(body, 6)).rejects.toBeInstanceOf(ResponseTooLargeError);
    expect(body.destroyed).toBe(true);
  });
});
