import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { readThinking, redactedValue, restoreThinking, wrapThinking } from './reasoning-token.ts';

const tokenCodec = createTokenCodec('secret');
const opaqueToken = (value: string): OpaqueToken => ({
  protocol: 'messages',
  account: 'acc',
  model: 'claude-x',
  value,
});

/** Wraps a block and reads it in the form in which a client of this protocol returns it. */
function roundTrip(block: ReasoningBlock): ReasoningBlock | undefined {
  const wire = wrapThinking(tokenCodec, block);
  if (!wire) return undefined;
  return wire.type === 'thinking'
    ? readThinking(tokenCodec, wire.signature, wire.thinking, false)
    : readThinking(tokenCodec, wire.data, '', true);
}

describe('wrapped thinking', () => {
  it.each<[string, ReasoningBlock]>([
    ['signed', { type: 'reasoning', text: ['Hm'], isSummary: false, opaqueToken: opaqueToken('sig') }],
    ['signed, without a text', { type: 'reasoning', text: [], isSummary: false, opaqueToken: opaqueToken('sig') }],
    [
      'redacted',
      { type: 'reasoning', text: [], isSummary: false, redacted: true, opaqueToken: opaqueToken(redactedValue('xyz')) },
    ],
    ['unsigned', { type: 'reasoning', text: ['Hm'], isSummary: false }],
    [
      'another vendor’s, without a text',
      {
        type: 'reasoning',
        text: [],
        isSummary: false,
        opaqueToken: { protocol: 'responses', account: 'o', value: 'enc' },
      },
    ],
  ])('round-trips: %s', (_name, block) => {
    expect(roundTrip(block)).toEqual(block);
  });

  it('always has a signature', () => {
    const wire = wrapThinking(tokenCodec, { type: 'reasoning', text: ['Hm'], isSummary: false });
    expect(wire).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/^R1cx/) });
  });

  it("keeps a vendor's own signature for a relay, without our mark", () => {
    const wire = wrapThinking(tokenCodec, {
      type: 'reasoning',
      text: [],
      isSummary: false,
      redacted: true,
      opaqueToken: opaqueToken(redactedValue('xyz')),
    });
    expect(wire?.type === 'redacted_thinking' && tokenCodec.unwrap(wire.data)).toEqual(opaqueToken('xyz'));
  });

  it("restores the vendor's block, also through clients with one field for all", () => {
    expect(restoreThinking({ type: 'reasoning', text: ['a'], isSummary: true }, opaqueToken('sig'))).toEqual({
      type: 'thinking',
      thinking: 'a',
      signature: 'sig',
    });
    expect(
      restoreThinking({ type: 'reasoning', text: [], isSummary: true }, opaqueToken(redactedValue('xyz'))),
    ).toEqual({
      type: 'redacted_thinking',
      data: 'xyz',
    });
  });

  it('is omitted without text and token', () => {
    expect(wrapThinking(tokenCodec, { type: 'reasoning', text: [], isSummary: false })).toBeUndefined();
  });
});
