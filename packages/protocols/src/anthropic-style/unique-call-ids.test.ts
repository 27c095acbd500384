import type { ContentBlock, Message } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeCallId } from '../text/call-id.ts';
import { arrangeTurns, type Turn } from './arrange-turns.ts';
import { uniqueCallIds } from './unique-call-ids.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const call = (callId: string): ContentBlock => ({
  type: 'tool-call',
  callId,
  name: 'f',
  kind: 'function',
  arguments: '',
});
const result = (callId: string, value = 'r'): ContentBlock => ({
  type: 'tool-result',
  callId,
  kind: 'function',
  content: [{ type: 'text', text: value }],
});
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const arrange = (...messages: Message[]): Turn[] => uniqueCallIds(arrangeTurns([user(text('go')), ...messages], false));

describe('uniqueCallIds', () => {
  it('keeps unique ids and the same turns', () => {
    const turns = arrangeTurns([user(text('go')), assistant(call('a'), call('b')), user(result('a'))], false);
    expect(uniqueCallIds(turns)).toEqual(turns);
  });

  it('renames a later pair of call and result', () => {
    expect(
      arrange(assistant(call('a')), user(result('a', 'x')), assistant(call('a')), user(result('a', 'y'), text('so'))),
    ).toEqual([
      { role: 'user', content: [text('go')] },
      { role: 'assistant', content: [call('a')] },
      { role: 'user', content: [result('a', 'x')] },
      { role: 'assistant', content: [call('a_2')] },
      { role: 'user', content: [result('a_2', 'y'), text('so')] },
    ]);
  });

  it('renames within one turn too', () => {
    const [, callTurn, resultTurn] = arrange(assistant(call('a'), call('a')), user(result('a', 'x'), result('a', 'y')));
    expect(callTurn?.content).toEqual([call('a'), call('a_2')]);
    expect(resultTurn?.content).toEqual([result('a', 'x'), result('a_2', 'y')]);
  });

  it('never uses the id of another call', () => {
    const turns = arrange(assistant(call('a'), call('a_2')), assistant(call('a')));
    expect(turns[1]?.content).toEqual([call('a'), call('a_2'), call('a_3')]);
  });

  it('compares ids as the vendor receives them and keeps them short enough', () => {
    const long = 'x'.repeat(64);
    const turns = arrange(assistant(call(long), call(long), call('a.b'), call(safeCallId('a.b'))));
    const ids = (turns[1]?.content ?? []).map((block) => (block.type === 'tool-call' ? safeCallId(block.callId) : ''));
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => /^[\w-]{1,64}$/.test(id))).toBe(true);
  });

  it('returns valid ids, and the same ones when the conversation grows', () => {
    const ids = fc.constantFrom('1', '1_2', '2');
    const message = fc.oneof(
      fc
        .array(
          fc.oneof(
            fc.constant(text('t')),
            ids.map((id) => result(id)),
          ),
          { maxLength: 3 },
        )
        .map((content) => user(...content)),
      fc
        .array(fc.oneof(fc.constant(text('t')), ids.map(call)), { maxLength: 3 })
        .map((content) => assistant(...content)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const turns = arrange(...messages);
        const calls = turns.flatMap(({ content }) => content.filter((block) => block.type === 'tool-call'));
        const results = turns.flatMap(({ content }) => content.filter((block) => block.type === 'tool-result'));
        expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length);
        expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ callId }) => callId));
        const grown = arrange(...messages, user(text('more')), assistant(call('1')));
        const callsOfGrown = grown.flatMap(({ content }) => content.filter((block) => block.type === 'tool-call'));
        expect(callsOfGrown.slice(0, calls.length)).toEqual(calls);
      }),
    );
  });
});
