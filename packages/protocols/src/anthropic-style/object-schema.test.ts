import { describe, expect, it } from 'vitest';
import { objectSchema } from './object-schema.ts';

const A = { properties: { a: { type: 'string' } }, required: ['a'] };
const B = { properties: { b: { type: 'string' }, a: { type: 'string' } }, required: ['b', 'a'] };

describe('objectSchema', () => {
  it.each([
    [undefined, { type: 'object', properties: {} }],
    [{}, { type: 'object', properties: {} }],
    [
      { $schema: 'x', type: 'object', properties: { a: { anyOf: [{}] } } },
      { $schema: 'x', type: 'object', properties: { a: { anyOf: [{}] } } },
    ],
    [
      { allOf: [A, B] },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] },
    ],
    [
      { anyOf: [A, B] },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
    ],
    [
      { type: 'object', properties: { c: {} }, required: ['c'], oneOf: [A, {}], $defs: { d: {} } },
      { type: 'object', properties: { c: {}, a: { type: 'string' } }, required: ['c'], $defs: { d: {} } },
    ],
  ])('converts %j to an object schema', (schema, expected) => {
    expect(objectSchema(schema)).toEqual(expected);
  });
});
