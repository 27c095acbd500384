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
const assistantTurn = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const userTurn = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const result = (callId: string): ContentBlock => ({ type: 'tool-result', callId, kind: 'function', content: [] });

/** Decodes a block's token in the form in which a client returns it. */
function wrapped(block: ContentBlock): ContentBlock {
  const [read] = decodeContent([wrapToken(tokenCodec, block)], 'content', { tokenCodec, report: () => undefined });
  if (!read) throw new Error('the block has no token');
  return read;
}

describe('tokens of calls and texts', () => {
  it("encodes a token as a redacted_thinking block with the gateway's signature", () => {
    expect(wrapToken(tokenCodec, call('c', opaqueToken('sig')))).toEqual({
      type: 'redacted_thinking',
      data: expect.stringMatching(/^R1cx/),
    });
  });

  it.each([call('c'), text('a'), { type: 'refusal', text: 'No.' } as const])('creates no token for %j', (block) => {
    expect(wrapToken(tokenCodec, block)).toBeUndefined();
  });

  it('creates no block for thinking, which has its own signature', () => {
    expect(
      wrapToken(tokenCodec, { type: 'reasoning', text: [], isSummary: true, opaqueToken: opaqueToken('sig') }),
    ).toBeUndefined();
  });

  it('restores a token to its call, regardless of its position', () => {
    const one = call('one', opaqueToken('1'));
    const two = call('two', opaqueToken('2'));
    const expected = [userTurn(text('go')), assistantTurn(one, two), userTurn(result('one'), result('two'))];
    const rows: Message[][] = [
      [assistantTurn(call('one'), wrapped(one), call('two'), wrapped(two))],
      [assistantTurn(call('one'), call('two'), wrapped(two), wrapped(one))],
      [assistantTurn(wrapped(two), wrapped(one), call('one'), call('two'))],
    ];
    for (const turns of rows) {
      expect(placeTokens([userTurn(text('go')), ...turns, userTurn(result('one'), result('two'))])).toEqual(expected);
    }
  });

  it('restores a token when a client splits a turn into messages, even after the results', () => {
    const one = call('one', opaqueToken('1'));
    const turns = [
      assistantTurn(call('one')),
      userTurn(result('one')),
      assistantTurn(wrapped(one)),
      userTurn(text('on')),
    ];
    expect(placeTokens(turns)).toEqual([assistantTurn(one), userTurn(result('one')), userTurn(text('on'))]);
  });

  it('finds the right call when a vendor reuses ids', () => {
    const first = call('c', opaqueToken('1'));
    const second = call('c', opaqueToken('2'));
    const turns = [
      assistantTurn(call('c'), wrapped(first)),
      userTurn(result('c')),
      assistantTurn(wrapped(second), call('c')),
    ];
    expect(placeTokens(turns)).toEqual([assistantTurn(first), userTurn(result('c')), assistantTurn(second)]);
  });

  it('drops the token of a call that the client dropped', () => {
    const gone = wrapped(call('gone', opaqueToken('1')));
    expect(placeTokens([userTurn(text('go')), assistantTurn(text('a'), gone)])).toEqual([
      userTurn(text('go')),
      assistantTurn(text('a')),
    ]);
  });

  it('restores a token to the preceding text, or to an empty text if there is none', () => {
    const withToken = text('a', opaqueToken('1'));
    expect(placeTokens([assistantTurn(text('a'), wrapped(withToken), call('c'))])).toEqual([
      assistantTurn(withToken, call('c')),
    ]);
    const alone: ContentBlock = { type: 'reasoning', text: [], isSummary: false, opaqueToken: opaqueToken('1') };
    expect(
      placeTokens([assistantTurn(text('b')), userTurn(text('?')), assistantTurn(wrapped(withToken), call('c'))]),
    ).toEqual([assistantTurn(text('b')), userTurn(text('?')), assistantTurn(alone, call('c'))]);
  });

  it('restores a token to an empty text', () => {
    const empty = text('', opaqueToken('1'));
    expect(placeTokens([assistantTurn(text('a'), wrapped(empty), call('c'))])).toEqual([
      assistantTurn(text('a'), empty, call('c')),
    ]);
  });

  it('returns the same messages without tokens and never changes its input', () => {
    const plain = [userTurn(text('go')), assistantTurn(call('c'))];
    expect(placeTokens(plain)).toBe(plain);
    const turns = [assistantTurn(call('c'), wrapped(call('c', opaqueToken('1'))))];
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
    const turns = [assistantTurn(call('c'), forged)];
    expect(placeTokens(turns)).toEqual(turns);
  });
});
