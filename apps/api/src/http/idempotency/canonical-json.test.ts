import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

/** Returns the same value with its object keys in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, unknown] => [key, reversed(inner)])
      .toReversed(),
  );
}

describe('canonicalJson', () => {
  it('returns equal texts for equal values in any key order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('returns JSON of the same value, so that different values have different texts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('omits undefined members and keeps the order of lists', () => {
    expect(canonicalJson({ b: undefined, a: [2, 1, undefined] })).toBe('{"a":[2,1,null]}');
  });
});
