import { describe, expect, it } from 'vitest';
import { FieldBudget } from './field-budget.ts';

const field = (value: unknown) => ({ name: 'a', value, isTruncated: false });
const tooLarge = expect.objectContaining({ code: 'payload_too_large', status: 413 });

/** A list nested to a depth. */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let at = 0; at < depth; at += 1) value = [value];
  return value;
}

describe('the fields of a form', () => {
  it('share one size limit', () => {
    const budget = new FieldBudget(100);
    budget.count(field('x'.repeat(90)));
    expect(() => budget.count(field('x'.repeat(10)))).toThrow(tooLarge);
  });

  it.each([
    ['numbers', Array.from({ length: 60 }, () => 1)],
    ['a string', 'ä'.repeat(60)],
    ['a string in a list', ['ä'.repeat(60)]],
    ['a member name', { ['x'.repeat(100)]: 1 }],
    ['empty objects', { a: Array.from({ length: 60 }, () => ({})) }],
  ])('count %s in a JSON part', (_what, value) => {
    expect(() => new FieldBudget(100).count(field(value))).toThrow(tooLarge);
    new FieldBudget(1000).count(field(value));
  });

  it('count no more than was sent', () => {
    const value = { a: [1, 'b', null, true, { c: {} }], d: [] };
    new FieldBudget(1 + JSON.stringify(value).length).count(field(value));
  });

  it('are rejected if their parser truncated them', () => {
    expect(() => new FieldBudget(100).count({ ...field('x'), isTruncated: true })).toThrow(tooLarge);
  });

  it('are rejected if their JSON would overflow the stack when encoded', () => {
    new FieldBudget(1e9).count(field(nested(400)));
    expect(() => new FieldBudget(1e9).count(field(nested(300_000)))).toThrow(
      expect.objectContaining({ code: 'invalid_request', status: 400, param: 'a' }),
    );
  });
});
