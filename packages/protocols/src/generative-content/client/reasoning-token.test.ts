import type { ReasoningBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { packReasoning, unpackReasoning } from './reasoning-token.ts';

const opaqueToken = { protocol: 'responses', account: 'a1', model: 'gpt-6', value: 'gAAAAB' } as const;
const block: ReasoningBlock = { type: 'reasoning', id: 'rs_1', text: ['A', 'B'], isSummary: true, opaqueToken };

describe('packReasoning', () => {
  it('preserves a hidden block completely', () => {
    expect(packReasoning(block, true)).toMatchObject({ protocol: 'responses', account: 'a1', model: 'gpt-6' });
    const packed = packReasoning({ ...block, redacted: true }, true);
    expect(packed && unpackReasoning(packed)).toEqual({ ...block, redacted: true });
  });

  it('omits text that is visible to the client', () => {
    const packed = packReasoning(block, false);
    expect(packed && unpackReasoning(packed)).toEqual({ ...block, text: [] });
  });

  it('returns no pack without a token', () => {
    expect(packReasoning({ type: 'reasoning', text: ['A'], isSummary: true }, true)).toBeUndefined();
  });
});

describe('unpackReasoning', () => {
  it("does not read a part's own token as reasoning", () => {
    expect(unpackReasoning({ protocol: 'generative-content', account: 'a1', value: 'AAAA' })).toBeUndefined();
  });

  it('rejects a token that a client forged', () => {
    expect(unpackReasoning({ protocol: 'generative-content', value: 'reasoning:no json' })).toBeUndefined();
  });
});
