import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonMembers } from './json-members.ts';
import { jsonSkeleton } from './json-skeleton.ts';

const long = 'A'.repeat(100_000);

function skeleton(value: unknown) {
  return jsonSkeleton(Buffer.from(JSON.stringify(value)));
}

describe('jsonSkeleton', () => {
  it('shortens long strings and nothing else', () => {
    const value = { model: 'm', messages: [{ url: long, text: 'hi' }, long], n: 1 };
    expect(JSON.parse(skeleton(value).text)).toEqual({
      model: 'm',
      messages: [{ url: 'AAAA', text: 'hi' }, 'AAAA'],
      n: 1,
    });
  });

  it('returns the same text without long strings', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const { text, byteAt } = jsonSkeleton(bytes);
        expect(Buffer.from(text, 'latin1').equals(bytes)).toBe(true);
        expect(byteAt(text.length)).toBe(bytes.length);
      }),
    );
  });

  it('is valid JSON for long strings of any content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (begin, end) => {
        const value = { a: begin + '"\\\n你'.repeat(3_000) + end, b: end };
        // The cast is safe because the skeleton has the same type as the input.
        const parsed = JSON.parse(Buffer.from(skeleton(value).text, 'latin1').toString()) as typeof value;
        expect(parsed.a.length).toBeLessThanOrEqual(4);
        expect(parsed.b).toBe(end.toWellFormed());
      }),
    );
  });

  it('maps its members to positions in the bytes', () => {
    const bytes = Buffer.from(JSON.stringify({ first: long, model: 'm', second: long, last: true }));
    const { text, byteAt } = jsonSkeleton(bytes);
    const members = jsonMembers(text);
    for (const [name, value] of [
      ['model', '"m"'],
      ['last', 'true'],
    ] as const) {
      const { start, end } = members?.get(name) ?? { start: 0, end: 0 };
      expect(bytes.subarray(byteAt(start), byteAt(end)).toString()).toBe(value);
    }
    expect(byteAt(text.lastIndexOf('}'))).toBe(bytes.length - 1);
  });

  it('is invalid if the JSON is invalid', () => {
    expect(() => JSON.parse(jsonSkeleton(Buffer.from(`{"a":"${long}`)).text)).toThrow(SyntaxError);
  });
});
