import type { ReasoningBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { isReasoningPack, packReasoning, PARAGRAPH_BREAK, unpackReasoning } from './reasoning-pack.ts';

const opaqueToken = { protocol: 'messages', account: 'acc', model: 'claude', value: 'c2ln' } as const;
const block: ReasoningBlock = { type: 'reasoning', text: ['one', 'two'], isSummary: false, opaqueToken };

describe('reasoning packs', () => {
  it('exist only for reasoning with a token, and differ from vendors’ own values', () => {
    expect(packReasoning([{ type: 'reasoning', text: ['a'], isSummary: false }])).toBeUndefined();
    const pack = packReasoning([block]);
    expect(pack && isReasoningPack(pack)).toBe(true);
    expect(isReasoningPack(opaqueToken)).toBe(false);
    // A value that the client wrote itself is never a pack.
    expect(pack && isReasoningPack({ protocol: pack.protocol, value: pack.value })).toBe(false);
  });

  it('restore every block with its own text', () => {
    const packs = [packReasoning([block]), packReasoning([{ ...block, text: ['three'] }])].filter(
      (pack) => pack !== undefined,
    );
    const text = ['one', 'two', 'three'].join(PARAGRAPH_BREAK);
    expect(unpackReasoning(packs, text)).toEqual([[block], [{ ...block, text: ['three'] }]]);
    expect(unpackReasoning(packs, `${text}!`)).toBeUndefined();
    expect(unpackReasoning(packs, undefined)).toEqual([[{ ...block, text: [] }], [{ ...block, text: [] }]]);
  });
});
