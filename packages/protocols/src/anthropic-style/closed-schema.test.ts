import { describe, expect, it } from 'vitest';
import { closedSchema } from './closed-schema.ts';

describe('closedSchema', () => {
  it('closes every object at any depth', () => {
    const item = { type: ['object', 'null'], properties: { b: { $ref: '#/$defs/c' } } };
    const closed = closedSchema({
      $schema: 'x',
      type: 'object',
      properties: { a: { type: 'array', items: item, minItems: 1 } },
      required: ['a'],
      additionalProperties: true,
      $defs: { c: { anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] } },
    });
    expect(closed).toEqual({
      type: 'object',
      properties: { a: { type: 'array', items: { ...item, additionalProperties: false }, minItems: 1 } },
      required: ['a'],
      additionalProperties: false,
      $defs: { c: { anyOf: [{ type: 'object', properties: {}, additionalProperties: false }, { type: 'null' }] } },
    });
  });

  it('describes unsupported bounds in the description', () => {
    expect(closedSchema({ type: 'string', description: 'A name.', minLength: 2, format: 'email' })).toEqual({
      type: 'string',
      description: 'A name.\n\n{minLength: 2}',
      format: 'email',
    });
    expect(closedSchema({ type: 'array', minItems: 3, format: 'odd' })).toEqual({
      type: 'array',
      description: '{minItems: 3, format: "odd"}',
    });
  });

  it('converts oneOf to anyOf and keeps a property named like a keyword', () => {
    expect(closedSchema({ oneOf: [{ type: 'string' }] })).toEqual({ anyOf: [{ type: 'string' }] });
    expect(closedSchema({ type: 'object', properties: { minimum: { type: 'number' } } })).toMatchObject({
      properties: { minimum: { type: 'number' } },
    });
  });
});
