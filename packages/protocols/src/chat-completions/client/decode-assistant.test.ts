import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { JsonField } from '../../json/json-field.ts';
import { decodeAssistant } from './decode-assistant.ts';
import { encodeExtraContent } from '../wire/extra-content.ts';
import { packReasoning } from '../wire/reasoning-pack.ts';

const tokenCodec = createTokenCodec('secret');
const decode = (message: Record<string, unknown>) => decodeAssistant(new JsonField(message, 'messages[0]'), tokenCodec);
const opaqueToken: OpaqueToken = { protocol: 'messages', account: 'acc', model: 'claude', value: 'sig' };
const call = (id: string, wrapped?: OpaqueToken) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: '{}' },
  ...(wrapped && { extra_content: encodeExtraContent(tokenCodec.wrap(wrapped)) }),
});
const callBlock = (callId: string) => ({ type: 'tool-call', callId, name: 'f', kind: 'function', arguments: '{}' });

describe('decodeAssistant', () => {
  it('omits the empty text of a message that only calls tools', () => {
    expect(decode({ content: '', tool_calls: [call('a')] })).toEqual([callBlock('a')]);
    expect(decode({ content: null, tool_calls: [call('a')] })).toEqual([callBlock('a')]);
    expect(decode({ content: '' })).toEqual([{ type: 'text', text: '' }]);
  });

  it('reads parts of text and refusal, and the refusal field', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'refusal', refusal: 'no' },
    ];
    expect(decode({ content })).toEqual([
      { type: 'text', text: 'a' },
      { type: 'refusal', text: 'no' },
    ]);
    expect(decode({ content: null, refusal: 'no' })).toEqual([{ type: 'refusal', text: 'no' }]);
  });

  it.each([
    [{ reasoning_content: 'hm' }],
    [{ reasoning: 'hm' }],
    [{ reasoning_details: [{ type: 'reasoning.text', text: 'hm' }], reasoning: 'twice' }],
    [{ thinking_blocks: [{ type: 'thinking', thinking: 'hm' }], reasoning_content: 'twice' }],
  ])('reads reasoning before the text from %j', (fields) => {
    expect(decode({ content: 'a', ...fields })).toEqual([
      { type: 'reasoning', text: ['hm'], isSummary: false },
      { type: 'text', text: 'a' },
    ]);
  });

  it('restores reasoning of another protocol from its opaque token, each block before its call', () => {
    const first: ReasoningBlock = { type: 'reasoning', text: ['one', 'two'], isSummary: true, id: 'rs_1', opaqueToken };
    const hidden: ReasoningBlock = {
      type: 'reasoning',
      text: [],
      isSummary: false,
      redacted: true,
      opaqueToken: { ...opaqueToken, value: 'r' },
    };
    const second: ReasoningBlock = {
      type: 'reasoning',
      text: ['three'],
      isSummary: false,
      opaqueToken: { ...opaqueToken, value: 'sig2' },
    };
    const blocks = decode({
      content: 'a',
      reasoning_content: 'one\n\ntwo\n\nthree',
      tool_calls: [call('x', packReasoning([first, hidden])), call('y', packReasoning([second]))],
    });
    expect(blocks).toEqual([first, hidden, { type: 'text', text: 'a' }, callBlock('x'), second, callBlock('y')]);
  });

  it('accepts the opaque token without its text, and only the text if it was changed', () => {
    const block: ReasoningBlock = { type: 'reasoning', text: ['one'], isSummary: false, opaqueToken };
    const tool_calls = [call('x', packReasoning([block]))];
    expect(decode({ content: null, tool_calls })[0]).toEqual({ ...block, text: [] });
    expect(decode({ content: null, tool_calls, reasoning_content: 'other' })[0]).toEqual({
      type: 'reasoning',
      text: ['other'],
      isSummary: false,
    });
  });

  it('restores the opaque tokens of calls and of texts', () => {
    const gemini: OpaqueToken = { ...opaqueToken, protocol: 'generative-content', value: 'AA==' };
    expect(decode({ content: null, tool_calls: [call('x', gemini), call('y')] })).toEqual([
      { ...callBlock('x'), opaqueToken: gemini },
      callBlock('y'),
    ]);
    expect(decode({ content: 'a', extra_content: encodeExtraContent(tokenCodec.wrap(gemini)) })).toEqual([
      { type: 'text', text: 'a', opaqueToken: gemini },
    ]);
  });

  it('reads an unwrapped value as the vendor’s own, from an unknown account', () => {
    const [block] = decode({ tool_calls: [{ ...call('x'), extra_content: encodeExtraContent('native') }] });
    expect(block).toMatchObject({ opaqueToken: { protocol: 'chat-completions', value: 'native' } });
  });

  it('assigns a call without an id the same id each time', () => {
    const { id: _id, ...bare } = call('x');
    expect(decode({ tool_calls: [bare] })).toEqual(decode({ tool_calls: [bare] }));
    expect(decode({ tool_calls: [bare] })[0]).toMatchObject({ callId: 'call_0_0' });
  });
});
