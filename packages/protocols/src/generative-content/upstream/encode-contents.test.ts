import type { ContentBlock, Message } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeContents } from './encode-contents.ts';

const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-2.5-flash',
  quirks: {},
} as const;

function encode(messages: Message[]) {
  const request = { protocol: 'chat-completions', model: 'm', stream: false, messages, tools: [] } as const;
  return encodeContents({ ...request, tools: [] }, target, () => undefined);
}

const say = (role: Message['role'], ...texts: string[]): Message => ({
  role,
  content: texts.map((text) => ({ type: 'text', text })),
});
const call = (callId: string, name: string): ContentBlock => ({
  type: 'tool-call',
  callId,
  name,
  kind: 'function',
  arguments: '{}',
});
const result = (callId: string): Message => ({
  role: 'user',
  content: [{ type: 'tool-result', callId, kind: 'function', content: [{ type: 'text', text: callId }] }],
});

describe('encodeContents', () => {
  it('groups the responses to parallel calls in one content, named by their calls', () => {
    const { contents } = encode([
      say('user', 'go'),
      { role: 'assistant', content: [call('c1', 'f'), call('c2', 'g')] },
      result('c1'),
      result('c2'),
    ]);
    expect(contents[2]).toEqual({
      role: 'user',
      parts: [
        { functionResponse: { id: 'c1', name: 'f', response: { output: 'c1' } } },
        { functionResponse: { id: 'c2', name: 'g', response: { output: 'c2' } } },
      ],
    });
    expect(contents).toHaveLength(3);
  });

  it('moves leading instructions to systemInstruction and keeps later ones in place', () => {
    expect(
      encode([say('system', 'A'), say('developer', 'B', ''), say('user', 'hi'), say('system', 'C'), say('user', 'yo')]),
    ).toEqual({
      systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }, { text: '<system>\nC\n</system>' }, { text: 'yo' }] }],
    });
  });

  it('merges turns of one role, also around an empty turn', () => {
    expect(encode([say('user', 'a'), say('assistant', ''), say('user', 'b'), say('assistant', 'c')]).contents).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
      { role: 'model', parts: [{ text: 'c' }] },
    ]);
  });

  it('always starts with a user turn', () => {
    const start = { role: 'user', parts: [{ text: '(conversation start)' }] };
    expect(encode([say('assistant', 'hi')]).contents[0]).toEqual(start);
    expect(encode([say('system', 'Say hi.')]).contents).toEqual([start]);
  });

  it('rejects an empty conversation', () => {
    expect(() => encode([say('user', '')])).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('never changes the request', () => {
    const messages = [say('user', 'a'), say('user', 'b')];
    const before = structuredClone(messages);
    encode(messages);
    expect(messages).toEqual(before);
  });
});
