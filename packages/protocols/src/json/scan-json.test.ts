import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_BOUNDS } from './json-bounds.ts';
import { scanJson } from './scan-json.ts';

function scan(json: string): void {
  scanJson(Buffer.from(json));
}

const list = (item: string, count: number) => `[${Array.from({ length: count }, () => item).join(',')}]`;
const object = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const { elements, values, depth, textBytes } = JSON_BOUNDS;
const tooLarge = expect.objectContaining({ code: 'payload_too_large' });

describe('scanJson', () => {
  it('accepts any small JSON', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => scan(JSON.stringify(value))));
  });

  it.each([
    ['arrays', '[]'],
    ['objects', '{}'],
    ['strings', '"a"'],
  ])('limits the number of %s', (_, item) => {
    expect(() => scan(list(item, elements - 1))).not.toThrow();
    expect(() => scan(list(item, elements + 1))).toThrow(tooLarge);
  });

  it('counts the names of members', () => {
    expect(() => scan(object(elements - 1))).not.toThrow();
    expect(() => scan(object(elements))).toThrow(tooLarge);
  });

  it('limits the number of values', () => {
    expect(() => scan(list('1', values + 1))).not.toThrow();
    expect(() => scan(list('1', values + 2))).toThrow(tooLarge);
  });

  it('limits the depth', () => {
    expect(() => scan(nested(depth))).not.toThrow();
    expect(() => scan(nested(depth + 1))).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => scan(list(nested(depth - 1), 1_000))).not.toThrow();
  });

  it('ignores structure inside strings', () => {
    const text = JSON.stringify(`${'[{,'.repeat(200_000)}"\\`);
    expect(() => scan(`[${text},${text}]`)).not.toThrow();
  });

  it.each([
    ['escaped quotes', String.raw`\"`],
    ['escaped backslashes', String.raw`\\`],
    ['escaped letters', String.raw`\u0041`],
    ['letters beyond ASCII', '你'],
  ])('counts a long string of %s as text', (_, unit) => {
    const text = unit.repeat(Math.ceil(textBytes / Buffer.byteLength(unit)));
    expect(() => scan(`"${text}"`)).toThrow(tooLarge);
    expect(() => scan(`"${text.slice(0, text.length / 2)}"`)).not.toThrow();
  });

  it('counts spaces, numbers, and short strings as text', () => {
    expect(() => scan(' '.repeat(textBytes + 1))).toThrow(tooLarge);
    expect(() => scan('9'.repeat(textBytes + 1))).toThrow(tooLarge);
    expect(() => scan(list(`"${'a'.repeat(4_000)}"`, 2_200))).toThrow(tooLarge);
  });

  it('does not count long strings without escapes, such as images', () => {
    const image = `"${'QUJD'.repeat(textBytes / 4)}"`;
    expect(() => scan(`{"a":${image},"b":${image},"c":1}`)).not.toThrow();
    expect(() => scan(`{"a":${image},"b":${' '.repeat(textBytes)}1}`)).toThrow(tooLarge);
  });

  it('does not report invalid JSON, which the parser rejects', () => {
    for (const json of ['', '{', '"', '"\\', ']]', '[,]', `"${'a'.repeat(10_000)}`])
      expect(() => scan(json)).not.toThrow();
  });
});
