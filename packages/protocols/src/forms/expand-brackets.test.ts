import { GatewayError } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandBrackets, type FormField } from './expand-brackets.ts';

/** Converts to plain objects, because the expanded objects have no prototype. */
function plain(fields: FormField[]): unknown {
  return JSON.parse(JSON.stringify(expandBrackets(fields)));
}

/** Flattens a nested value as published SDKs do before they send a form. */
function flatten(value: unknown, name: string): FormField[] {
  if (Array.isArray(value)) return value.map((item): FormField => [`${name}[]`, item]);
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, `${name}[${key}]`));
}

const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const text = fc.string();
const nested = fc.dictionary(
  name,
  fc.oneof(
    text,
    fc.array(text, { minLength: 1 }),
    fc.dictionary(name, fc.oneof(text, fc.array(text, { minLength: 1 })), { minKeys: 1 }),
  ),
);

describe('expandBrackets', () => {
  it('builds objects and lists from bracketed names', () => {
    expect(
      plain([
        ['prompt', 'a kite'],
        ['input_reference[image_url]', 'https://x.test/a.png'],
        ['metadata[camera][pan]', 'left'],
        ['tags[]', 'one'],
        ['tags[]', 'two'],
      ]),
    ).toEqual({
      prompt: 'a kite',
      input_reference: { image_url: 'https://x.test/a.png' },
      metadata: { camera: { pan: 'left' } },
      tags: ['one', 'two'],
    });
  });

  it('reverses the flattening of SDKs', () => {
    fc.assert(
      fc.property(nested, (value) => {
        const fields = Object.entries(value).flatMap(([key, inner]) => flatten(inner, key));
        expect(plain(fields)).toEqual(value);
      }),
    );
  });

  it('accepts prototype names as plain names', () => {
    const expanded = expandBrackets([
      ['__proto__[polluted]', 'yes'],
      ['a[__proto__][polluted]', 'yes'],
      ['constructor[prototype][polluted]', 'yes'],
    ]);
    expect(Object.getPrototypeOf(expanded)).toBeNull();
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['a repeated field', ['a', 'a']],
    ['a field that is both a value and an object', ['a', 'a[b]']],
    ['a field that is both an object and a value', ['a[b]', 'a']],
    ['a field that is both a list and an object', ['a[]', 'a[b]']],
    ['a field that is both an object and a list', ['a[b]', 'a[]']],
  ])('rejects %s', (_title, names) => {
    expect(() => expandBrackets(names.map((field): FormField => [field, 'x']))).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: names[1] }),
    );
  });

  it.each(['a[', 'a]', '[a]', 'a[b', 'a[[b]]', 'a[b]c', 'a[][b]', 'a[1][2][3][4][5][6]', ''])(
    'leaves %j unchanged, because its brackets are invalid',
    (field) => {
      expect(plain([[field, 'x']])).toEqual({ [field]: 'x' });
    },
  );

  it('throws only GatewayError and nests at most five levels', () => {
    const bracketedName = fc.stringMatching(/^[a[\]]{0,14}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(bracketedName, text)), (fields) => {
        try {
          expect(JSON.stringify(expandBrackets(fields))).not.toMatch(/(\{[^}]*){7}/);
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
        }
      }),
    );
  });
});
