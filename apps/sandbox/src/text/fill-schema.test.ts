import { describe, expect, it } from 'vitest';
import { fillSchema } from './fill-schema.ts';

describe('fillSchema', () => {
  it('fills only required properties, by type', () => {
    const properties = {
      city: { type: 'string' },
      unit: { enum: ['C', 'F'] },
      days: { type: 'integer', minimum: 2 },
      wind: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      not: { type: 'string' },
    };
    expect(fillSchema({ type: 'object', properties, required: ['city', 'unit', 'days', 'wind', 'tags'] })).toEqual({
      city: 'text',
      unit: 'C',
      days: 2,
      wind: true,
      tags: ['text'],
    });
  });

  it('follows references, alternatives, and nullable types', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/A' },
        b: { anyOf: [{ type: 'null' }, { type: 'number' }] },
        c: { type: ['null', 'string'], maxLength: 2 },
        d: { allOf: [{ $ref: '#/$defs/A' }] },
      },
      required: ['a', 'b', 'c', 'd'],
      $defs: { A: { type: 'object', properties: { x: { const: 7 } }, required: ['x'] } },
    };
    expect(fillSchema(schema)).toEqual({ a: { x: 7 }, b: 1, c: 'te', d: { x: 7 } });
  });

  it('understands upper-case types and terminates for a recursive schema', () => {
    expect(fillSchema({ type: 'OBJECT', properties: { n: { type: 'INTEGER' } }, required: ['n'] })).toEqual({ n: 1 });
    expect(() => fillSchema({ $ref: '#' })).not.toThrow();
    expect(fillSchema(undefined)).toBe('text');
  });
});
