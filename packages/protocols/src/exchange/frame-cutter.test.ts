import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameCutter, MOST_FRAME_BYTES } from './frame-cutter.ts';

function cut(pieces: readonly string[]): string[] {
  const cutter = createFrameCutter();
  const frames = pieces.flatMap((piece) => cutter.push(Buffer.from(piece, 'latin1')));
  return [...frames, cutter.rest()];
}

describe('createFrameCutter', () => {
  it('cuts after each blank line, wherever the pieces end', () => {
    const stream = 'data: a\n\nevent: b\ndata: c\r\n\r\n: d\n\r\ndata: e';
    const whole = cut([stream]);
    expect(whole).toEqual(['data: a\n\n', 'event: b\ndata: c\r\n\r\n', ': d\n\r\n', 'data: e']);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 40, maxLength: 60 }), (sizes) => {
        let at = 0;
        const pieces = sizes.map((size) => stream.slice(at, (at += size)));
        expect(cut(pieces)).toEqual(whole);
      }),
    );
  });

  it('refuses a frame that never ends', () => {
    const cutter = createFrameCutter();
    const piece = Buffer.alloc(16 * 1024 * 1024, 'x');
    expect(() => {
      for (let sent = 0; sent <= MOST_FRAME_BYTES; sent += piece.length) cutter.push(piece);
    }).toThrow('too long');
  });
});
