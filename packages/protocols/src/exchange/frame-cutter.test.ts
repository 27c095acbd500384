import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameCutter, MAX_FRAME_BYTES } from './frame-cutter.ts';

function cut(chunks: readonly string[]): string[] {
  const cutter = createFrameCutter();
  const frames = chunks.flatMap((chunk) => cutter.push(Buffer.from(chunk, 'latin1')));
  return [...frames, cutter.rest()];
}

describe('createFrameCutter', () => {
  it('cuts after each blank line, independent of chunk boundaries', () => {
    const stream = 'data: a\n\nevent: b\ndata: c\r\n\r\n: d\n\r\ndata: e';
    const unsplit = cut([stream]);
    expect(unsplit).toEqual(['data: a\n\n', 'event: b\ndata: c\r\n\r\n', ': d\n\r\n', 'data: e']);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 40, maxLength: 60 }), (sizes) => {
        let at = 0;
        const chunks = sizes.map((size) => stream.slice(at, (at += size)));
        expect(cut(chunks)).toEqual(unsplit);
      }),
    );
  });

  it('cuts after a blank line of carriage returns, independent of chunk boundaries', () => {
    const frames = ['data: a\r\r', 'event: b\rdata: c\r\r', 'data: d\n\r', 'data: e\r\n\n', 'data: f\r\n\r', 'data: g'];
    expect(cut([frames.join('')])).toEqual(frames);
    for (const size of [1, 2, 3, 7]) {
      const chunks = frames.join('').match(new RegExp(`[^]{1,${size}}`, 'g'));
      expect(cut(chunks ?? [])).toEqual(frames);
    }
  });

  it('returns a frame at its second carriage return, without waiting for the next chunk', () => {
    const cutter = createFrameCutter();
    expect(cutter.push(Buffer.from('data: a\r'))).toEqual([]);
    expect(cutter.push(Buffer.from('\r'))).toEqual(['data: a\r\r']);
  });

  it('rejects a frame without an end', () => {
    const cutter = createFrameCutter();
    const chunk = Buffer.alloc(16 * 1024 * 1024, 'x');
    expect(() => {
      for (let sent = 0; sent <= MAX_FRAME_BYTES; sent += chunk.length) cutter.push(chunk);
    }).toThrow('more than the gateway accepts');
  });
});
