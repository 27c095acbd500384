import { expect, it } from 'vitest';
import { strictSchemaError } from './strict-schema.ts';

const open = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const closed = { ...open, additionalProperties: false };

it('accepts a closed object that requires all properties', () => {
  expect(strictSchemaError(closed)).toBeUndefined();
});

it.each([
  [open, "In context=(), 'additionalProperties' is required to be supplied and to be false."],
  [{ ...closed, required: [] }, "Missing 'a'."],
  [
    { ...closed, properties: { a: open } },
    "In context=('properties', 'a'), 'additionalProperties' is required to be supplied and to be false.",
  ],
  [{ ...closed, properties: { a: { type: 'array', items: open } } }, "'items'"],
  [{ ...closed, properties: { a: { anyOf: [open] } } }, "'anyOf', '0'"],
])('finds an error %#', (schema, fault) => {
  expect(strictSchemaError(schema)).toContain(fault);
});
