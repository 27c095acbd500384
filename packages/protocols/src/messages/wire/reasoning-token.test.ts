import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { readThinking, redactedValue, restoreThinking, wrapThinking } from './reasoning-token.ts';

const tokenCodec = createTokenCodec('secret');
const seal = (value: string): OpaqueToken => ({ protocol: 'messages', account: 'acc', model: 'claude-x', value });

/** What a client of this protocol would carry back. */
function roundTrip(block: ReasoningBlock): ReasoningBlock | undefined {
  const wire = wrapThinking(tokenCodec, block);
  if (!wire) return undefined;
  return wire.type === 'thinking'
    ? readThinking(tokenCodec, wire.signature, wire.thinking, false)
    : readThinking(tokenCodec, wire.data, '', true);
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
    const wire = wrapThinking(tokenCodec, { type: 'reasoning', text: ['Hm'], isSummary: false });
    expect(wire).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/^R1cx/) });
  });

  it('keep a vendor’s own signature for a relay, without our mark', () => {
    const wire = wrapThinking(tokenCodec, {
      type: 'reasoning',
      text: [],
      isSummary: false,
      redacted: true,
      seal: seal(redactedValue('xyz')),
    });
    expect(wire?.type === 'redacted_thinking' && tokenCodec.unwrap(wire.data)).toEqual(seal('xyz'));
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
    expect(wrapThinking(tokenCodec, { type: 'reasoning', text: [], isSummary: false })).toBeUndefined();
  });
});
