import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { patchSchema } from './patch-schema.ts';

const schema = patchSchema(
  z.strictObject({
    models: z.array(z.string().min(1)).optional(),
    strict: z.boolean().default(false).describe('Whether.'),
    budget: z
      .strictObject({ usd: z.number().positive(), period: z.enum(['day', 'month']).default('month') })
      .optional(),
    labels: z.record(z.string().regex(/^[a-z]+$/), z.string().min(1)).optional(),
  }),
);

describe('patchSchema', () => {
  it.each([
    {},
    { strict: true },
    { strict: null, models: null, budget: null },
    { budget: {} },
    { budget: { usd: 3 } },
    { budget: { period: 'day' } },
    { budget: { usd: null, period: null } },
    { labels: { team: 'a', env: null } },
    { labels: null },
  ])('accepts %j unchanged, without defaults', (patch) => {
    expect(schema.parse(patch)).toEqual(patch);
  });

  it.each([
    { other: 1 },
    { strict: 'yes' },
    { budget: { usd: -1 } },
    { budget: { eur: 1 } },
    { models: [''] },
    { labels: { team: '' } },
    { labels: { TEAM: 'a' } },
    null,
    [],
  ])('rejects %j', (patch) => {
    expect(schema.safeParse(patch).success).toBe(false);
  });

  it('keeps the descriptions of the fields', () => {
    expect(JSON.stringify(z.toJSONSchema(schema))).toContain('Whether.');
  });
});
