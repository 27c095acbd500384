import type { ContentBlock, Loss, Message, TextTarget } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeTurns } from './encode-turns.ts';

const target: TextTarget = { upstream: 'a', account: 'acc', protocol: 'messages', model: 'claude-x', quirks: {} };

function encode(...messages: Message[]) {
  const losses: Loss[] = [];
  return { ...encodeTurns(messages, target, false, (loss) => losses.push(loss)), losses };
}

const messageOf = (role: Message['role'], ...content: (string | ContentBlock)[]): Message => ({
  role,
  content: content.map((one) => (typeof one === 'string' ? { type: 'text', text: one } : one)),
});
const CALL: ContentBlock = { type: 'tool-call', callId: 'c', name: 'run', kind: 'function', arguments: '{}' };
const RESULT: ContentBlock = { type: 'tool-result', callId: 'c', kind: 'function', content: [] };
const TOKEN = { protocol: 'messages', account: 'acc', model: 'claude-x', value: 'sig' } as const;
const THOUGHT: ContentBlock = { type: 'reasoning', text: ['Hm'], isSummary: false, opaqueToken: TOKEN };

describe('encodeTurns', () => {
  it('moves the leading instructions to system, one block each, with their cache control', () => {
    const marked: ContentBlock = { type: 'text', text: 'b', cache: {} };
    const { system, messages } = encode(
      messageOf('system', 'a', marked),
      messageOf('developer', 'c'),
      messageOf('user', 'hi'),
    );
    expect(system).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'c' },
    ]);
    expect(messages).toHaveLength(1);
  });

  it('accepts a conversation of instructions only, but not an empty one', () => {
    expect(encode(messageOf('system', 'a')).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: '(conversation start)' }] },
    ]);
    for (const nothing of [[], [messageOf('user', ' ')]]) {
      expect(() => encode(...nothing)).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'messages' }));
    }
  });

  it('writes no empty text next to a call', () => {
    const { messages } = encode(messageOf('user', 'go'), messageOf('assistant', '', CALL), messageOf('user', RESULT));
    expect(messages[1]?.content).toEqual([{ type: 'tool_use', id: 'c', name: 'run', input: {} }]);
  });

  it('merges turns around a turn that cannot be sent', () => {
    const foreign: ContentBlock = { type: 'reasoning', text: ['A'], isSummary: true };
    const { messages, losses } = encode(
      messageOf('user', 'a'),
      messageOf('assistant', foreign),
      messageOf('user', 'b'),
    );
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
    expect(losses).toEqual([{ field: 'reasoning', how: 'dropped' }]);
  });

  it('reports dropped speaker names and images in instructions', () => {
    const image: ContentBlock = { type: 'media', kind: 'image', source: { from: 'url', url: 'https://a' } };
    const { losses } = encode(messageOf('system', 'a', image), { ...messageOf('user', 'hi'), name: 'ann' });
    expect(losses.map(({ field }) => field).toSorted()).toEqual(['image', 'name']);
  });

  it('assigns every call a unique id', () => {
    const { messages } = encode(
      messageOf('user', 'go'),
      messageOf('assistant', CALL),
      messageOf('user', RESULT),
      messageOf('assistant', CALL),
      messageOf('user', RESULT),
    );
    expect(messages.slice(1).map(({ content }) => content[0])).toMatchObject([
      { id: 'c' },
      { tool_use_id: 'c' },
      { id: 'c_2' },
      { tool_use_id: 'c_2' },
    ]);
  });

  it('trims trailing white space of a prefill', () => {
    expect(encode(messageOf('user', 'a'), messageOf('assistant', 'So: ')).messages[1]?.content).toEqual([
      { type: 'text', text: 'So:' },
    ]);
  });

  it('recognizes a running tool loop by its thinking', () => {
    const loop = (...content: ContentBlock[]) =>
      encode(messageOf('user', 'go'), messageOf('assistant', ...content), messageOf('user', RESULT));
    expect(loop(CALL)).toMatchObject({ unsignedLoop: true, calledTools: ['run'] });
    expect(loop(THOUGHT, CALL).unsignedLoop).toBe(false);
    expect(
      encode(messageOf('user', 'go'), messageOf('assistant', 'done'), messageOf('user', 'more')).unsignedLoop,
    ).toBe(false);
  });
});
