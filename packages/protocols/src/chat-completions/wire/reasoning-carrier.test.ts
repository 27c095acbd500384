import type { ReasoningBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { isReasoningPack, packReasoning, PARAGRAPH_BREAK, unpackReasoning } from './reasoning-carrier.ts';

const seal = { protocol: 'messages', account: 'acc', model: 'claude', value: 'c2ln' } as const;
const block: ReasoningBlock = { type: 'reasoning', text: ['one', 'two'], isSummary: false, seal };

describe('packs of reasoning', () => {
  it('are made only where something is sealed, and told from vendors’ own values', () => {
    expect(packReasoning([{ type: 'reasoning', text: ['a'], isSummary: false }])).toBeUndefined();
    const pack = packReasoning([block]);
    expect(pack && isReasoningPack(pack)).toBe(true);
    expect(isReasoningPack(seal)).toBe(false);
    // What a client made up itself is never taken for one.
    expect(pack && isReasoningPack({ protocol: pack.protocol, value: pack.value })).toBe(false);
  });

  it('give every block back with its own text', () => {
    const packs = [packReasoning([block]), packReasoning([{ ...block, text: ['three'] }])].filter(
      (pack) => pack !== undefined,
    );
    const text = ['one', 'two', 'three'].join(PARAGRAPH_BREAK);
    expect(unpackReasoning(packs, text)).toEqual([[block], [{ ...block, text: ['three'] }]]);
    expect(unpackReasoning(packs, `${text}!`)).toBeUndefined();
    expect(unpackReasoning(packs, undefined)).toEqual([[{ ...block, text: [] }], [{ ...block, text: [] }]]);
  });
});
