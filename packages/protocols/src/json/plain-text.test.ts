import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from './parse-input.ts';

describe('default messages of a schema', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'a is required.'],
    [z.string(), null, 'a must be a string.'],
    [z.int(), 'x', 'a must be a number.'],
    [z.int(), 1.5, 'a must be an integer.'],
    [z.boolean(), 1, 'a must be true or false.'],
    [z.array(z.string()), {}, 'a must be an array.'],
    [z.looseObject({}), [], 'a must be an object.'],
    [z.record(z.string(), z.number()), [], 'a must be an object.'],
    [z.string().min(1), '', 'a must not be empty.'],
    [z.array(z.string()).min(2), [], 'a must have at least 2 items.'],
    [z.number().min(2), 1, 'a must be at least 2.'],
    [z.number().max(2), 3, 'a must be at most 2.'],
    [z.string().max(2), 'abc', 'a must be at most 2 characters.'],
    [z.enum(['x', 'y', 'z']), 'a', 'a must be x, y, or z.'],
    [z.literal('x'), 'a', 'a must be x.'],
    [z.string().regex(/^b/), 'a', 'a is not valid.'],
    [z.union([z.string(), z.number()]), null, 'a is not valid.'],
    [z.strictObject({}), { b: 1 }, 'a has unknown fields.'],
  ])('use plain text %#', (schema, value, message) => {
    expect(() => parseInput(z.object({ a: schema }), { a: value })).toThrow(expect.objectContaining({ message }));
  });

  it('do not replace the schema’s messages', () => {
    const schema = z.object({ a: z.string('must be my text') });
    expect(() => parseInput(schema, { a: 1 })).toThrow(expect.objectContaining({ message: 'a must be my text.' }));
  });

  it('also describe the complete request', () => {
    expect(() => parseInput(z.object({}), [])).toThrow(
      expect.objectContaining({ message: 'The request must be an object.' }),
    );
  });
});
