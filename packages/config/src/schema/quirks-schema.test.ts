import type { TextQuirks } from '@sluice/canonical';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { QuirksSchema, type QuirksConfig } from './quirks-schema.ts';

describe('QuirksSchema', () => {
  it('has exactly the fields that the protocols read', () => {
    // The compiler checks this test.
    expectTypeOf<QuirksConfig>().toEqualTypeOf<TextQuirks>();
    expectTypeOf<keyof typeof QuirksSchema.shape>().toEqualTypeOf<keyof TextQuirks>();
  });

  it("fills in no defaults, so that a route's quirks can override its upstream's", () => {
    expect({
      ...QuirksSchema.parse({ sampling: false, top_k: true }),
      ...QuirksSchema.parse({ top_k: false }),
    }).toEqual({ sampling: false, top_k: false });
  });

  it('rejects a field that no protocol reads', () => {
    expect(QuirksSchema.safeParse({ temperature: false }).success).toBe(false);
  });
});
