import type { TextQuirks } from '@sluice/canonical';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { QuirksSchema, type QuirksConfig } from './quirks-schema.ts';

describe('QuirksSchema', () => {
  it('has exactly the fields that the protocols know', () => {
    // Checked by the compiler; nothing happens when it runs.
    expectTypeOf<QuirksConfig>().toEqualTypeOf<TextQuirks>();
    expectTypeOf<keyof typeof QuirksSchema.shape>().toEqualTypeOf<keyof TextQuirks>();
  });

  it('fills nothing in, so that a route’s quirks can be laid over its upstream’s', () => {
    expect({
      ...QuirksSchema.parse({ sampling: false, top_k: true }),
      ...QuirksSchema.parse({ top_k: false }),
    }).toEqual({ sampling: false, top_k: false });
  });

  it('refuses a field that no protocol reads', () => {
    expect(QuirksSchema.safeParse({ temperature: false }).success).toBe(false);
  });
});
