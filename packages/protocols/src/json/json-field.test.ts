import { describe, expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { JsonField } from './json-field.ts';

const field = (value: unknown) => new JsonField({ a: value }, '').get('a');

describe('get', () => {
  it('extends the path by member and index', () => {
    const body = new JsonField({ messages: [{ content: 'Hi' }] }, '');
    const [first] = body.get('messages').items();
    expect(first?.get('content')).toMatchObject({ value: 'Hi', path: 'messages[0][content]' });
  });

  it('rejects members if the value is not an object', () => {
    expect(() => field('text').get('b')).toThrow('a must be an object.');
    expect(() => field(undefined).get('b')).toThrow('a is required.');
    expect(() => field([]).get('b')).toThrow(refusal('a'));
  });
});

describe('items', () => {
  it('requires an array unless the field is optional', () => {
    expect(() => field(null).items()).toThrow('a is required.');
    expect(field(null).optionalItems()).toEqual([]);
    expect(() => field({}).optionalItems()).toThrow('a must be an array.');
  });
});

describe('strings', () => {
  it.each([
    [undefined, 'a is required.'],
    [null, 'a is required.'],
    [1, 'a must be a string.'],
  ])('rejects %j', (value, message) => {
    expect(() => field(value).requireString()).toThrow(message);
  });

  it('accepts an empty string only if allowed', () => {
    expect(field('').requireString()).toBe('');
    expect(field('').nonEmptyString).toBeUndefined();
    expect(() => field('').requireNonEmptyString()).toThrow('a must not be empty.');
  });
});
