import { describe, expect, it } from 'vitest';
import { KeyBudgetSchema, KeyLimitsSchema } from './key-limits-schema.ts';

describe('KeyLimitsSchema', () => {
  it('accepts no limits', () => {
    expect(KeyLimitsSchema.parse({})).toEqual({});
  });

  it.each(['rpm', 'tpm', 'concurrent_tasks', 'open_tasks'])('accepts only integers of at least 1 for %s', (name) => {
    expect(KeyLimitsSchema.parse({ [name]: 1 })).toEqual({ [name]: 1 });
    for (const wrong of [0, -1, 1.5, '3', null])
      expect(KeyLimitsSchema.safeParse({ [name]: wrong }).success).toBe(false);
  });

  it('rejects unknown fields', () => {
    expect(KeyLimitsSchema.safeParse({ rps: 3 }).success).toBe(false);
  });
});

describe('the budget', () => {
  it('is monthly by default', () => {
    expect(KeyBudgetSchema.parse({ usd: 0.5 })).toEqual({ usd: 0.5, period: 'month' });
    expect(KeyBudgetSchema.parse({ usd: 3, period: 'total' }).period).toBe('total');
  });

  it.each([
    {},
    { usd: 0 },
    { usd: -1 },
    { usd: '5' },
    { usd: 1_000_001 },
    { usd: 5, period: 'week' },
    { usd: 5, eur: 5 },
  ])('rejects %o', (wrong) => {
    expect(KeyBudgetSchema.safeParse(wrong).success).toBe(false);
  });
});
