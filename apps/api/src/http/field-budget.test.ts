import { describe, expect, it } from 'vitest';
import { FieldBudget } from './field-budget.ts';

const tooLarge = expect.objectContaining({ code: 'payload_too_large', status: 413 });

describe('FieldBudget', () => {
  it('limits the total of all fields', () => {
    const budget = new FieldBudget(100);
    budget.addText('x'.repeat(90));
    expect(() => budget.addBytes(11)).toThrow(tooLarge);
  });

  it('counts bytes, not characters', () => {
    expect(() => new FieldBudget(100).addText('ä'.repeat(60))).toThrow(tooLarge);
  });

  it('rejects a value that the form parser truncated', () => {
    expect(() => new FieldBudget(100).addText('x', true)).toThrow(tooLarge);
  });
});
