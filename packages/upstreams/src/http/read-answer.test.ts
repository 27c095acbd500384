import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AnswerTooLargeError, readAnswer } from './read-answer.ts';

function bodyOf(...pieces: string[]): Readable {
  return Readable.from(
    pieces.map((piece) => Buffer.from(piece, 'latin1')),
    { objectMode: false },
  );
}

describe('readAnswer', () => {
  it('parses JSON wherever it was split, inside a character too', async () => {
    const bytes = Buffer.from('{"a":"ü"}').toString('latin1');
    expect(await readAnswer(bodyOf(...Array.from(bytes)), 100)).toEqual({ a: 'ü' });
  });

  it('gives nothing for what is no JSON, and for nothing', async () => {
    expect(await readAnswer(bodyOf('{"a":'), 100)).toBeUndefined();
    expect(await readAnswer(bodyOf(), 100)).toBeUndefined();
  });

  it('gives up one byte past the limit', async () => {
    expect(await readAnswer(bodyOf('"12', '345"'), 7)).toBe('12345');
    const body = bodyOf('"12', '345"');
    await expect(readAnswer(body, 6)).rejects.toBeInstanceOf(AnswerTooLargeError);
    expect(body.destroyed).toBe(true);
  });
});
