import { describe, expect, it } from 'vitest';
import { fromOpenApiSchema } from './from-openapi-schema.ts';

describe('fromOpenApiSchema', () => {
  it('writes types in lower case, at every depth', () => {
    const schema = {
      type: 'OBJECT',
      properties: { list: { type: 'ARRAY', items: { type: 'STRING', format: 'enum', enum: ['a'] }, maxItems: '3' } },
      required: ['list'],
      propertyOrdering: ['list'],
    };
    expect(fromOpenApiSchema(schema, 'x')).toEqual({
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string', enum: ['a'] }, maxItems: 3 } },
      required: ['list'],
    });
  });

  it('writes null for nullable', () => {
    expect(fromOpenApiSchema({ type: 'STRING', nullable: true, enum: ['a'] }, 'x')).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
    expect(fromOpenApiSchema({ any_of: [{ type: 'STRING' }], nullable: true }, 'x')).toEqual({
      anyOf: [{ type: 'string' }, { type: 'null' }],
    });
  });

  it('keeps JSON Schema and property names unchanged', () => {
    const schema = {
      type: 'object',
      properties: {
        type: { type: 'string' },
        nullable: { type: 'boolean', default: true },
        example: { $ref: '#/$defs/a' },
      },
      $defs: { a: { type: 'string', format: 'date-time' } },
      additionalProperties: false,
    };
    expect(fromOpenApiSchema(schema, 'x')).toEqual(schema);
  });

  it('rejects a schema that is nested too deeply', () => {
    let schema: Record<string, unknown> = { type: 'STRING' };
    for (let depth = 0; depth < 200; depth += 1) schema = { type: 'ARRAY', items: schema };
    expect(() => fromOpenApiSchema(schema, 'tools[0]')).toThrow(expect.objectContaining({ param: 'tools[0]' }));
  });
});
