import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFrozen } from './deep-frozen.ts';

describe('deepFrozen', () => {
  it('returns the same value, unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const before = JSON.stringify(value);
        expect(deepFrozen(value)).toBe(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });

  it('rejects changes at any depth, even below a frozen value', () => {
    const value = deepFrozen(Object.freeze({ list: [{ text: 'a' }] as { text: string }[] }));
    expect(() => value.list.push({ text: 'b' })).toThrow(TypeError);
    expect(() => Object.assign(value.list[0] ?? {}, { text: 'b' })).toThrow(TypeError);
  });

  it('accepts values nested deeper than the call stack', () => {
    let value: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(Object.isFrozen(deepFrozen(value))).toBe(true);
  });

  it('does not freeze bytes', () => {
    expect(deepFrozen({ bytes: Buffer.from('a') }).bytes.toString()).toBe('a');
  });
});
