import { describe, expect, it } from 'vitest';
import { type ProtoMessage, readMessage } from './proto-message.ts';

const Inner: ProtoMessage = { someText: 'string', data: 'bytes' };
const Outer: ProtoMessage = {
  count: 'int',
  mode: { values: ['AUTO', 'ANY'], name: 'Mode' },
  inner: { message: () => Inner },
  many: { list: { message: () => Inner } },
  byName: { map: () => Inner },
  free: 'struct',
};

describe('readMessage', () => {
  it('reads camelCase and snake_case at any depth, and leaves free objects as they are', () => {
    const read = readMessage(Outer, { by_name: { some_key: { some_text: 'x' } }, free: { some_key: 1 } });
    expect(read).toEqual({ byName: { some_key: { someText: 'x' } }, free: { some_key: 1 } });
  });

  it('accepts integers as text, enum values in any case, null as absent, and one value for a list of one', () => {
    expect(readMessage(Outer, { count: '5', mode: 'any', inner: null, many: { someText: 'x' } })).toEqual({
      count: 5,
      mode: 'ANY',
      many: [{ someText: 'x' }],
    });
  });

  it.each([
    [{ nope: 1 }, 'Unknown name "nope": Cannot find field.'],
    [{ many: [{}, { nope: 1 }] }, `Unknown name "nope" at 'many[1]': Cannot find field.`],
    [{ toString: 1 }, 'Unknown name "toString": Cannot find field.'],
    [{ count: 1.5 }, `Invalid value at 'count' (TYPE_INT32), 1.5`],
    [{ mode: 'NOW' }, `Invalid value at 'mode' (type.googleapis.com/google.ai.generativelanguage.v1beta.Mode), "NOW"`],
    [{ inner: { some_text: ['x'] } }, 'Proto field is not repeating, cannot start list.'],
    [{ inner: { data: '*' } }, `Invalid value at 'inner.data' (TYPE_BYTES), "*"`],
    [{ by_name: { a: { some_text: 1 } } }, `Invalid value at 'by_name[a].some_text' (TYPE_STRING), 1`],
    [{ byName: {}, by_name: {} }, 'duplicate field "by_name"'],
  ])('rejects %j', (value, message) => {
    expect(() => readMessage(Outer, value)).toThrow(message);
  });
});
