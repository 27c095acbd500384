import type { ContentBlock, Message, OpaqueToken } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { wrapToken, placeTokens } from './wrapped-token.ts';
import { decodeContent } from './decode-block.ts';

const tokenCodec = createTokenCodec('secret');
const opaqueToken = (value: string): OpaqueToken => ({
  protocol: 'generative-content',
  account: 'acc',
  model: 'gemini-3',
  value,
});

const call = (callId: string, token?: OpaqueToken): ContentBlock => ({
  type: 'tool-call',
  callId,
  name: 'run',
  kind: 'function',
  arguments: '{}',
  ...(token && { opaqueToken: token }),
});
const text = (value: string, token?: OpaqueToken): ContentBlock => ({
  type: 'text',
  text: value,
  ...(token && { opaqueToken: token }),
});
const said = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const asked = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const result = (callId: string): ContentBlock => ({ type: 'tool-result', callId, kind: 'function', content: [] });

/** Decodes a block's token as a client returns it. */
function carried(block: ContentBlock): ContentBlock {
  const [read] = decodeContent([wrapToken(tokenCodec, block)], 'content', { tokenCodec, report: () => undefined });
  if (!read) throw new Error('nothing was carried');
  return read;
}

describe('tokens of calls and texts', () => {
  it("carries a token in a redacted_thinking block, marked as this gateway's", () => {
    expect(wrapToken(tokenCodec, call('c', opaqueToken('sig')))).toEqual({
      type: 'redacted_thinking',
      data: expect.stringMatching(/^R1cx/),
    });
  });

  it.each([call('c'), text('a'), { type: 'refusal', text: 'No.' } as const])('invents no token for %j', (block) => {
    expect(wrapToken(tokenCodec, block)).toBeUndefined();
  });

  it('leaves thinking to its own token', () => {
    expect(
      wrapToken(tokenCodec, { type: 'reasoning', text: [], isSummary: true, opaqueToken: opaqueToken('sig') }),
    ).toBeUndefined();
  });

  it('restores a token onto its call, wherever the client put it', () => {
    const one = call('one', opaqueToken('1'));
    const two = call('two', opaqueToken('2'));
    const whole = [asked(text('go')), said(one, two), asked(result('one'), result('two'))];
    const rows: Message[][] = [
      [said(call('one'), carried(one), call('two'), carried(two))],
      [said(call('one'), call('two'), carried(two), carried(one))],
      [said(carried(two), carried(one), call('one'), call('two'))],
    ];
    for (const turns of rows) {
      expect(placeTokens([asked(text('go')), ...turns, asked(result('one'), result('two'))])).toEqual(whole);
    }
  });

  it('restores a token when a client splits a turn into messages, even after the results', () => {
    const one = call('one', opaqueToken('1'));
    const turns = [said(call('one')), asked(result('one')), said(carried(one)), asked(text('on'))];
    expect(placeTokens(turns)).toEqual([said(one), asked(result('one')), asked(text('on'))]);
  });

  it('finds the right call when a vendor reuses ids', () => {
    const first = call('c', opaqueToken('1'));
    const second = call('c', opaqueToken('2'));
    const turns = [said(call('c'), carried(first)), asked(result('c')), said(carried(second), call('c'))];
    expect(placeTokens(turns)).toEqual([said(first), asked(result('c')), said(second)]);
  });

  it('drops the token of a call that the client dropped', () => {
    const gone = carried(call('gone', opaqueToken('1')));
    expect(placeTokens([asked(text('go')), said(text('a'), gone)])).toEqual([asked(text('go')), said(text('a'))]);
  });

  it('restores a token onto the text before it, or alone if that is missing', () => {
    const withToken = text('a', opaqueToken('1'));
    expect(placeTokens([said(text('a'), carried(withToken), call('c'))])).toEqual([said(withToken, call('c'))]);
    const alone: ContentBlock = { type: 'reasoning', text: [], isSummary: false, opaqueToken: opaqueToken('1') };
    expect(placeTokens([said(text('b')), asked(text('?')), said(carried(withToken), call('c'))])).toEqual([
      said(text('b')),
      asked(text('?')),
      said(alone, call('c')),
    ]);
  });

  it('restores a token onto an empty text', () => {
    const empty = text('', opaqueToken('1'));
    expect(placeTokens([said(text('a'), carried(empty), call('c'))])).toEqual([said(text('a'), empty, call('c'))]);
  });

  it('returns the same messages without tokens and never changes its input', () => {
    const plain = [asked(text('go')), said(call('c'))];
    expect(placeTokens(plain)).toBe(plain);
    const turns = [said(call('c'), carried(call('c', opaqueToken('1'))))];
    const before = structuredClone(turns);
    placeTokens(turns);
    expect(turns).toEqual(before);
  });

  it('reads a forged token as plain thinking', () => {
    const forged: ContentBlock = {
      type: 'reasoning',
      text: [],
      isSummary: false,
      opaqueToken: { protocol: 'messages', value: 'block:["AAAA",{"call":"c"}]' },
    };
    const turns = [said(call('c'), forged)];
    expect(placeTokens(turns)).toEqual(turns);
  });
});
