import { describe, expect, it } from 'vitest';
import { toOpenApiSchema } from './to-openapi-schema.ts';

const FORBIDDEN =
  /"(?:\$schema|\$id|\$ref|\$defs|additionalProperties|const|exclusiveMinimum|propertyNames|prefixItems|uniqueItems|multipleOf|oneOf|allOf|default|title)"/;

const convert = (schema: Record<string, unknown>, drop = () => {}) => toOpenApiSchema(schema, drop);

describe('toOpenApiSchema', () => {
  it('keeps no keyword that older models reject', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      title: 'Args',
      additionalProperties: false,
      properties: {
        count: { type: 'integer', exclusiveMinimum: 0, multipleOf: 2, default: 2 },
        kind: { const: 'a' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], uniqueItems: true },
        note: { type: ['string', 'null'], format: 'uri' },
        map: { type: 'object', propertyNames: { pattern: 'x' } },
      },
      required: ['count', 'gone'],
    };
    const result = convert(schema);
    expect(JSON.stringify(result)).not.toMatch(FORBIDDEN);
    expect(result).toEqual({
      type: 'OBJECT',
      properties: {
        count: { type: 'INTEGER' },
        kind: { type: 'STRING', enum: ['a'] },
        pair: { type: 'ARRAY', items: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] } },
        note: { type: 'STRING', nullable: true },
        map: { type: 'OBJECT' },
      },
      required: ['count'],
    });
  });

  it('inlines definitions and cuts cycles', () => {
    const schema = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/tree' } },
      $defs: {
        tree: { type: 'object', properties: { name: { type: 'string' }, left: { $ref: '#/$defs/tree' } } },
      },
    };
    expect(convert(schema)).toEqual({
      type: 'OBJECT',
      properties: { tree: { type: 'OBJECT', properties: { name: { type: 'STRING' }, left: { type: 'OBJECT' } } } },
    });
  });

  it('merges intersections and converts unions to anyOf', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } }, required: ['b'] },
      ],
    };
    expect(convert(schema)).toEqual({
      type: 'OBJECT',
      properties: {
        a: { type: 'STRING' },
        b: { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }], nullable: true },
      },
      required: ['a', 'b'],
    });
  });

  it('writes enums as strings and null among them as nullable', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', enum: [1, 2, null] } } };
    expect(convert(schema)?.['properties']).toEqual({
      n: { type: 'STRING', enum: ['1', '2'], nullable: true },
    });
  });

  it('omits an object without properties', () => {
    expect(convert({ type: 'object', properties: {}, additionalProperties: false })).toBeUndefined();
  });

  it('rejects references that expand without bounds, quickly', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } };
    for (let level = 1; level < 30; level += 1) {
      const below = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { type: 'object', properties: { a: below, b: below, c: below } };
    }
    const schema = { type: 'object', properties: { x: { $ref: '#/$defs/d29' } }, $defs };
    expect(() => convert(schema)).toThrow('must expand to at most');
    const circle = { allOf: [{ $ref: '#' }, { $ref: '#' }], type: 'object' };
    expect(() => convert(circle)).toThrow('must expand to at most');
  });
});
