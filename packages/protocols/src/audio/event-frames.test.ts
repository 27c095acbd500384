import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitEventFrames } from './event-frames.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** Splits a stream into chunks of a fixed length. */
function cut(stream: string, size: number): string[] {
  const frames = splitEventFrames();
  const bytes = Buffer.from(stream);
  const events: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...frames.push(bytes.subarray(at, at + size)));
  return [...events, frames.end()].map(text);
}

describe('a stream of events', () => {
  it.each(['\n', '\r\n', '\r'])('is split after blank lines that end with %j, wherever its chunks are split', (end) => {
    const [one, other] = [`event: a${end}data: ä${end}${end}`, `data: b${end}${end}`];
    expect(cut(one + other, 1_000)).toEqual([one, other, '']);
    for (const size of [1, 3, 7]) {
      const chunks = cut(one + other, size);
      expect(chunks.join('')).toBe(one + other);
      expect(chunks.map((chunk) => chunk.replaceAll(/^\n|[\r\n]+$/g, ''))).toEqual(
        [one, other, ''].map((chunk) => chunk.replaceAll(/[\r\n]+$/g, '')),
      );
    }
  });

  it('buffers an incomplete event and reports its size', () => {
    const frames = splitEventFrames();
    expect(frames.push(Buffer.from('data: 1\n'))).toEqual([]);
    expect(frames.pendingBytes()).toBe(8);
    expect(frames.push(Buffer.from('\ndata')).map(text)).toEqual(['data: 1\n\n']);
    expect([frames.pendingBytes(), text(frames.end()), frames.pendingBytes()]).toEqual([4, 'data', 0]);
  });

  it('preserves every byte of any input', () => {
    const streams = fc.array(fc.constantFrom('\n', '\r', '\r\n', 'data: 1', ': x', 'ä'));
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 9 }), (chunks, size) => {
        expect(cut(chunks.join(''), size).join('')).toBe(chunks.join(''));
      }),
    );
  });
});
