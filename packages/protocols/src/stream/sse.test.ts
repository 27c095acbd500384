import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, sseData, sseEvent } from './sse.ts';

function parse(bytes: Uint8Array, cut = bytes.length) {
  const parser = createSseParser();
  const frames = [];
  for (let at = 0; at < bytes.length; at += cut) frames.push(...parser.push(bytes.subarray(at, at + cut)));
  return [...frames, ...parser.end()];
}

const STREAM = Buffer.from(
  '\uFEFF: hello\n\nevent: a\ndata: {"x":"你好 🌍"}\n\ndata:no blank\r\n\r\ndata: one\ndata: two\n\nid: 7\nretry: 3\n\nevent: lost\n\ndata\n\rdata: last',
);

describe('createSseParser', () => {
  it('parses frames as in the WHATWG standard, and a last frame without a blank line', () => {
    expect(parse(STREAM)).toEqual([
      { event: 'a', data: '{"x":"你好 🌍"}' },
      { data: 'no blank' },
      { data: 'one\ntwo' },
      { data: '' },
      { data: 'last' },
    ]);
  });

  it('returns the same frames for any chunks, even split inside a character', () => {
    const frames = parse(STREAM);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (cut) => {
        expect(parse(STREAM, cut)).toEqual(frames);
      }),
    );
  });

  it('returns a frame as soon as it is complete', () => {
    const parser = createSseParser();
    expect(parser.push(Buffer.from('data: a\n'))).toEqual([]);
    expect(parser.pendingLength()).toBe(1);
    expect(parser.push(Buffer.from('\ndata: b'))).toEqual([{ data: 'a' }]);
    expect(parser.pendingLength()).toBe('data: b'.length);
  });

  it('returns a frame at its carriage return, without waiting for the next chunk', () => {
    const parser = createSseParser();
    expect(parser.push(Buffer.from('data: a\r\r'))).toEqual([{ data: 'a' }]);
    expect(parser.push(Buffer.from('data: b\r\n\r'))).toEqual([{ data: 'b' }]);
    expect(parser.push(Buffer.from('\ndata: c\r'))).toEqual([]);
    expect(parser.push(Buffer.from('\rdata: d'))).toEqual([{ data: 'c' }]);
  });
});

describe('sseData and sseEvent', () => {
  it('write frames that the parser reads', () => {
    expect(parse(Buffer.from(sseData({ a: 'x\ny' }) + sseEvent('b', 1)))).toEqual([
      { data: '{"a":"x\\ny"}' },
      { event: 'b', data: '1' },
    ]);
  });
});
