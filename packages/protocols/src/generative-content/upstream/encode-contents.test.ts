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

const message = (role: Message['role'], ...texts: string[]): Message => ({
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
      message('user', 'go'),
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
      encode([
        message('system', 'A'),
        message('developer', 'B', ''),
        message('user', 'hi'),
        message('system', 'C'),
        message('user', 'yo'),
      ]),
    ).toEqual({
      systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }, { text: '<system>\nC\n</system>' }, { text: 'yo' }] }],
    });
  });

  it('merges turns of one role, even around an empty turn', () => {
    expect(
      encode([message('user', 'a'), message('assistant', ''), message('user', 'b'), message('assistant', 'c')])
        .contents,
    ).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
      { role: 'model', parts: [{ text: 'c' }] },
    ]);
  });

  it('always starts with a user turn', () => {
    const start = { role: 'user', parts: [{ text: '(conversation start)' }] };
    expect(encode([message('assistant', 'hi')]).contents[0]).toEqual(start);
    expect(encode([message('system', 'Say hi.')]).contents).toEqual([start]);
  });

  it('rejects an empty conversation', () => {
    expect(() => encode([message('user', '')])).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('never changes the request', () => {
    const messages = [message('user', 'a'), message('user', 'b')];
    const before = structuredClone(messages);
    encode(messages);
    expect(messages).toEqual(before);
  });
});
