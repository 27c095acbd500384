import type { ContentBlock, Loss, OpaqueToken } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeModelTurn } from './encode-model-turn.ts';

const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  quirks: {},
} as const;
const opaqueToken = (value: string, more: Partial<OpaqueToken> = {}): OpaqueToken => ({
  protocol: 'generative-content',
  account: 'a1',
  model: 'gemini-3-flash',
  value,
  ...more,
});
const call = (callId: string, own?: OpaqueToken): ContentBlock => ({
  type: 'tool-call',
  callId,
  name: 'f',
  kind: 'function',
  arguments: '',
  ...(own && { opaqueToken: own }),
});
const encode = (blocks: ContentBlock[], on = {}, losses: Loss[] = []) =>
  encodeModelTurn(blocks, { ...target, ...on }, (loss) => losses.push(loss));
const SKIP = 'skip_thought_signature_validator';

describe('encodeModelTurn', () => {
  it('restores a signature to its part, but not to other calls of the turn', () => {
    expect(encode([call('c1', opaqueToken('AAAA')), call('c2')])).toEqual([
      { functionCall: { id: 'c1', name: 'f', args: {} }, thoughtSignature: 'AAAA' },
      { functionCall: { id: 'c2', name: 'f', args: {} } },
    ]);
  });

  it('keeps the signature of a trailing empty text', () => {
    expect(
      encode([call('c1', opaqueToken('AAAA')), { type: 'text', text: '', opaqueToken: opaqueToken('BBBB') }]),
    ).toEqual([
      { functionCall: { id: 'c1', name: 'f', args: {} }, thoughtSignature: 'AAAA' },
      { text: '', thoughtSignature: 'BBBB' },
    ]);
  });

  it.each([
    ['none', undefined],
    ['a token that is not base64', opaqueToken('msg: not base64!')],
    ['another vendor’s token', opaqueToken('AAAA', { protocol: 'messages', model: 'claude-opus-5' })],
    ['another account’s token', opaqueToken('AAAA', { account: 'a2' })],
  ])('sends the signature that skips validation for a first call with %s, to Gemini 3 only', (_, own) => {
    expect(encode([call('c1', own), call('c2')]).map((part) => part['thoughtSignature'])).toEqual([SKIP, undefined]);
    const older = encode([call('c1', own)], { model: 'gemini-2.5-pro' });
    expect(older).toEqual([{ functionCall: { id: 'c1', name: 'f', args: {} } }]);
  });

  it('puts a signature from an empty reasoning block onto the next part', () => {
    const carrier: ContentBlock = { type: 'reasoning', text: [], isSummary: false, opaqueToken: opaqueToken('AAAA') };
    expect(encode([carrier, call('c1')])).toMatchObject([{ thoughtSignature: 'AAAA' }]);
    expect(encode([{ type: 'text', text: 'hi' }, carrier])).toEqual([
      { text: 'hi' },
      { text: '', thoughtSignature: 'AAAA' },
    ]);
    expect(encode([carrier, call('c1', opaqueToken('BBBB'))])).toMatchObject([
      { text: '', thoughtSignature: 'AAAA' },
      { thoughtSignature: 'BBBB' },
    ]);
  });

  it('omits reasoning that Gemini cannot read and reports the loss', () => {
    const losses: Loss[] = [];
    const claude = opaqueToken('AAAA', { protocol: 'messages', model: 'claude-opus-5' });
    const blocks: ContentBlock[] = [
      { type: 'reasoning', text: ['hm'], isSummary: false, opaqueToken: claude },
      { type: 'text', text: 'hi' },
    ];
    expect(encode(blocks, {}, losses)).toEqual([{ text: 'hi' }]);
    expect(losses).toEqual([{ field: 'reasoning', how: 'dropped' }]);
  });

  it('returns a signed thought as a thought', () => {
    expect(encode([{ type: 'reasoning', text: ['hm'], isSummary: true, opaqueToken: opaqueToken('AAAA') }])).toEqual([
      { text: 'hm', thought: true, thoughtSignature: 'AAAA' },
    ]);
  });

  it('writes no empty text, and arguments always as an object', () => {
    const custom: ContentBlock = { type: 'tool-call', callId: 'c', name: 'x', kind: 'custom', arguments: 'ls' };
    const parts = encode([{ type: 'text', text: '' }, custom], { model: 'gemini-2.5-pro' });
    expect(parts).toEqual([{ functionCall: { id: 'c', name: 'x', args: { input: 'ls' } } }]);
  });
});
