import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonMembers, jsonObjectEnd } from './json-members.ts';

function values(text: string): Record<string, unknown> | undefined {
  const members = jsonMembers(text);
  if (!members) return undefined;
  return Object.fromEntries([...members].map(([key, { start, end }]) => [key, JSON.parse(text.slice(start, end))]));
}

describe('jsonMembers', () => {
  it('finds the same members as JSON.parse, in any object and any layout', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (object, space) => {
        const text = JSON.stringify(object, null, space);
        expect(values(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('reports byte positions for binary text', () => {
    const text = Buffer.from('{"a":"你","model":"m"}').toString('latin1');
    const { start, end } = jsonMembers(text)?.get('model') ?? { start: 0, end: 0 };
    expect(Buffer.from(text, 'latin1').subarray(start, end).toString()).toBe('"m"');
  });

  it('uses the last of two equal members', () => {
    expect(values('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it('reads keys with escapes', () => {
    expect(values('{"mo\\u0064el":"x"}')).toEqual({ model: 'x' });
  });

  it.each([
    '',
    '[]',
    '"a"',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1',
    '{"a":1 "b":2}',
    '{"a":"x}',
    '{"a":[1}',
    '{a:1}',
    'null',
  ])('rejects %s as incomplete', (text) => {
    expect(jsonMembers(text)).toBeUndefined();
  });
});

describe('jsonObjectEnd', () => {
  it('finds the closing brace after any content', () => {
    const text = ' {"a":{"b":"}"},"c":[{}]} tail';
    expect(text[jsonObjectEnd(text) ?? 0]).toBe('}');
    expect(text.slice(0, (jsonObjectEnd(text) ?? 0) + 1).trim()).toBe('{"a":{"b":"}"},"c":[{}]}');
  });
});
