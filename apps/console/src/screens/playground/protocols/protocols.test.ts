import { describe, expect, it } from 'vitest';
import { PROTOCOLS, protocolOf } from './protocols.ts';
import type { ChatSettings, Turn } from './text-protocol.ts';

const SETTINGS: ChatSettings = {
  model: 'team/m 1',
  system: '',
  stream: false,
  effort: '',
  maxTokens: undefined,
  temperature: undefined,
  tools: [],
};
const HELLO: Turn = { role: 'user', text: 'Hello', images: [] };

describe.each(PROTOCOLS.map((protocol) => ({ protocol, id: protocol.id })))('the protocol $id', ({ protocol }) => {
  it('sends only what is set', () => {
    const { json = {} } = protocol.createRequest(SETTINGS, [HELLO]);
    expect(Object.keys(json).filter((name) => !['model', 'messages', 'input', 'contents', 'max_tokens', 'store'].includes(name))).toEqual([]); // prettier-ignore
  });

  it('repeats a reply of another protocol as text and tool calls', () => {
    const call = { id: 'c1', name: 'look', args: '{"at":"x"}' };
    const reply = {
      text: 'I look.',
      reasoning: 'hidden',
      toolCalls: [call],
      images: [],
      finish: 'stop',
      usage: undefined,
      native: { protocol: 'another', value: 'opaque' },
    };
    const turns: Turn[] = [HELLO, { role: 'assistant', reply }, { role: 'tool', results: [{ call, output: 'found' }] }];
    const text = JSON.stringify(protocol.createRequest(SETTINGS, turns).json);
    for (const part of ['Hello', 'I look.', 'look', 'found', 'x']) expect(text).toContain(part);
    expect(text).not.toMatch(/hidden|opaque/);
  });

  it('reports the message of an error event', () => {
    const error = { type: 'error', message: 'too long', error: { message: 'too long' } };
    expect(() => protocol.createReader().event(error)).toThrow('too long');
  });

  it('reads a response of an unknown form as empty', () => {
    for (const body of [
      null,
      [],
      'text',
      {},
      { choices: [null], output: [null], content: [null], candidates: [null] },
    ]) {
      const reader = protocol.createReader();
      reader.body(body);
      expect([reader.reply.text, reader.reply.toolCalls]).toEqual(['', []]);
    }
  });
});

it('keeps the slashes of a model in a path, and encodes the rest', () => {
  expect(protocolOf('generate').createRequest(SETTINGS, [HELLO]).path).toBe(
    '/v1beta/models/team/m%201:generateContent',
  );
});

it('repeats a reply of the same protocol unchanged', () => {
  const reader = protocolOf('messages').createReader();
  const { reply } = reader;
  const content = [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'text', text: 'Hi' },
  ];
  reader.body({ content, stop_reason: 'end_turn', usage: { input_tokens: 3, output_tokens: 2 } });
  expect(reply).toMatchObject({ text: 'Hi', reasoning: 'hm', finish: 'end_turn', usage: { input: 3, output: 2 } });
  const { json } = protocolOf('messages').createRequest(SETTINGS, [HELLO, { role: 'assistant', reply }]);
  expect(json?.['messages']).toEqual([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content },
  ]);
});
