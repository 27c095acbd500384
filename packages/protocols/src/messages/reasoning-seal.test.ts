import type { ReasoningBlock, Seal } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../sealer.ts';
import { readThinking, redactedValue, restoreThinking, wrapThinking } from './reasoning-seal.ts';

const sealer = createSealer('secret');
const seal = (value: string): Seal => ({ protocol: 'messages', account: 'acc', model: 'claude-x', value });

/** What a client of this protocol would carry back. */
function roundTrip(block: ReasoningBlock): ReasoningBlock | undefined {
  const wire = wrapThinking(sealer, block);
  if (!wire) return undefined;
  return wire.type === 'thinking'
    ? readThinking(sealer, wire.signature, wire.thinking, false)
    : readThinking(sealer, wire.data, '', true);
}

describe('thoughts on their way through a client', () => {
  it.each<[string, ReasoningBlock]>([
    ['signed', { type: 'reasoning', text: ['Hm'], isSummary: false, seal: seal('sig') }],
    ['signed, without a text', { type: 'reasoning', text: [], isSummary: false, seal: seal('sig') }],
    ['redacted', { type: 'reasoning', text: [], isSummary: false, redacted: true, seal: seal(redactedValue('xyz')) }],
    ['unsigned', { type: 'reasoning', text: ['Hm'], isSummary: false }],
    [
      'another vendor’s, without a text',
      { type: 'reasoning', text: [], isSummary: false, seal: { protocol: 'responses', account: 'o', value: 'enc' } },
    ],
  ])('come back as they were: %s', (_name, block) => {
    expect(roundTrip(block)).toEqual(block);
  });

  it('always bear a signature', () => {
    const wire = wrapThinking(sealer, { type: 'reasoning', text: ['Hm'], isSummary: false });
    expect(wire).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/^R1cx/) });
  });

  it('keep a vendor’s own signature for a relay, without our mark', () => {
    const wire = wrapThinking(sealer, {
      type: 'reasoning',
      text: [],
      isSummary: false,
      redacted: true,
      seal: seal(redactedValue('xyz')),
    });
    expect(wire?.type === 'redacted_thinking' && sealer.unwrap(wire.data)).toEqual(seal('xyz'));
  });

  it('are restored as the vendor made them, also through clients that know one field for all', () => {
    expect(restoreThinking({ type: 'reasoning', text: ['a'], isSummary: true }, seal('sig'))).toEqual({
      type: 'thinking',
      thinking: 'a',
      signature: 'sig',
    });
    expect(restoreThinking({ type: 'reasoning', text: [], isSummary: true }, seal(redactedValue('xyz')))).toEqual({
      type: 'redacted_thinking',
      data: 'xyz',
    });
  });

  it('are nothing without text and seal', () => {
    expect(wrapThinking(sealer, { type: 'reasoning', text: [], isSummary: false })).toBeUndefined();
  });
});
