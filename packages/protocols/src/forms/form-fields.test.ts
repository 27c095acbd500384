import { describe, expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { baseName, listOf, parseJsonText, prepareMediaFields, withoutBlanks } from './form-fields.ts';
import { invalidField } from '../json/json-field.ts';

it('invalidField names the field in `param` and in the message', () => {
  expect(invalidField('size', 'is odd')).toMatchObject({ param: 'size', message: 'size is odd.', status: 400 });
});

describe('withoutBlanks', () => {
  it('removes only nulls and empty texts', () => {
    const fields = { a: null, b: '', c: 0, d: false, e: ' ', f: [], g: {} };
    expect(withoutBlanks(fields)).toEqual({ c: 0, d: false, e: ' ', f: [], g: {} });
  });

  it.each([[undefined], [null]])('reads %s as a body without fields', (fields) => {
    expect(withoutBlanks(fields)).toEqual({});
  });

  it.each([['text'], [5], [[1]], [true]])('returns %j unchanged, which is not an object', (fields) => {
    expect(withoutBlanks(fields)).toBe(fields);
  });

  it('preserves a field named like a prototype', () => {
    const fields = withoutBlanks(JSON.parse('{"__proto__":{"polluted":1}}'));
    expect(Object.keys(fields as object)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
  });
});

describe('parseJsonText', () => {
  it('parses text and returns other values unchanged', () => {
    expect(parseJsonText('{"a":[1]}', 'metadata')).toEqual({ a: [1] });
    expect(parseJsonText(5, 'metadata')).toBe(5);
  });

  it('rejects invalid JSON', () => {
    expect(() => parseJsonText('{"a":', 'metadata')).toThrow(refusal('metadata'));
  });
});

it.each([
  [undefined, []],
  ['a', ['a']],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [{ 10: 'c', 2: 'b', 0: 'a' }, ['a', 'b', 'c']],
  [{ image_url: 'a' }, [{ image_url: 'a' }]],
  [{}, [{}]],
])('listOf(%j) is %j', (value, list) => {
  expect(listOf(value)).toEqual(list);
});

it.each(['image', 'image[]', 'image[3]', 'image[a][b]'])('the base name of %s is image', (field) => {
  expect(baseName(field)).toBe('image');
});

describe('prepareMediaFields', () => {
  it.each([
    [{ metadata: '{"a":1}' }, { metadata: { a: 1 } }],
    [{ image: 'a' }, { image: 'a' }],
    [{ image: ['a'] }, { images: ['a'] }],
    [{ image: { 0: 'a', 1: 'b' } }, { images: ['a', 'b'] }],
    [{ image: { image_url: 'a' } }, { image: { image_url: 'a' } }],
    [{ images: 'a', other: null }, { images: ['a'] }],
    [undefined, {}],
    ['text', 'text'],
  ])('converts %j to %j', (fields, unfolded) => {
    expect(prepareMediaFields(fields)).toEqual(unfolded);
  });

  it('rejects ambiguous fields and invalid metadata JSON', () => {
    expect(() => prepareMediaFields({ image: ['a'], images: ['b'] })).toThrow(refusal('images'));
    expect(() => prepareMediaFields({ metadata: '{' })).toThrow(refusal('metadata'));
  });
});
