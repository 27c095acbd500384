import type { ContentBlock, Message } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrangeTurns } from './arrange-turns.ts';

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
const system = (...content: ContentBlock[]): Message => ({ role: 'system', content });

describe('arrangeTurns', () => {
  it('merges turns of one role', () => {
    expect(arrangeTurns([user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d'))], false)).toEqual(
      [
        { role: 'user', content: [text('a'), text('b')] },
        { role: 'assistant', content: [text('c'), text('d')] },
      ],
    );
  });

  it('puts parallel results into one user turn', () => {
    const turns = arrangeTurns(
      [user(text('a')), assistant(call('1'), call('2')), user(result('1')), user(result('2'))],
      false,
    );
    expect(turns.slice(2)).toEqual([{ role: 'user', content: [result('1'), result('2')] }]);
  });

  it('puts results before other user content, in the order of the calls', () => {
    const turns = arrangeTurns(
      [user(text('a')), assistant(call('1'), call('2')), user(text('and also'), result('2'), result('1'))],
      false,
    );
    expect(turns[2]).toEqual({ role: 'user', content: [result('1'), result('2'), text('and also')] });
  });

  it('moves a late result to its call', () => {
    const turns = arrangeTurns(
      [user(text('a')), assistant(call('1')), user(text('wait')), assistant(text('hm')), user(result('1'), text('so'))],
      false,
    );
    expect(turns.slice(2)).toEqual([
      { role: 'user', content: [result('1'), text('wait')] },
      { role: 'assistant', content: [text('hm')] },
      { role: 'user', content: [text('so')] },
    ]);
  });

  it('adds a placeholder result for a call without one', () => {
    expect(arrangeTurns([user(text('a')), assistant(call('1'))], false)[2]).toEqual({
      role: 'user',
      content: [result('1', '[no result]')],
    });
  });

  it('assigns each use of an id its own result', () => {
    const turns = arrangeTurns(
      [user(text('a')), assistant(call('1')), user(result('1', 'x')), assistant(call('1')), user(result('1', 'y'))],
      false,
    );
    expect([turns[2], turns[4]].map((turn) => turn?.content)).toEqual([[result('1', 'x')], [result('1', 'y')]]);
  });

  it('converts a result without a call to text', () => {
    expect(arrangeTurns([user(result('9', 'lost'))], false)).toEqual([
      { role: 'user', content: [text('Result of an earlier tool call (9):'), text('lost')] },
    ]);
  });

  it('starts with a user turn', () => {
    expect(arrangeTurns([assistant(text('a'))], false).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('writes later instructions as text of the user turn, after results', () => {
    const turns = arrangeTurns(
      [user(text('a')), assistant(call('1')), system(text('be brief')), user(result('1'))],
      false,
    );
    expect(turns[2]?.content).toEqual([result('1'), text('<system>be brief</system>')]);
  });

  it('keeps later instructions in place if the model accepts them', () => {
    const turns = arrangeTurns([user(text('a')), system(text('be brief')), user(text('b'))], true);
    expect(turns.map(({ role }) => role)).toEqual(['user', 'system', 'user']);
  });

  it("moves the model's own images to the user's turn", () => {
    const image: ContentBlock = { type: 'media', kind: 'image', source: { from: 'url', url: 'https://a/b.png' } };
    expect(arrangeTurns([user(text('draw')), assistant(text('here'), image), user(text('nice'))], false)).toEqual([
      { role: 'user', content: [text('draw')] },
      { role: 'assistant', content: [text('here')] },
      { role: 'user', content: [image, text('nice')] },
    ]);
  });

  it('returns a valid conversation for any input', () => {
    const block = fc.oneof(
      fc.constant(text('t')),
      fc.constantFrom('1', '2', '3').map((id) => call(id)),
    );
    const response = fc.oneof(
      fc.constant(text('t')),
      fc.constantFrom('1', '2', '3').map((id) => result(id)),
    );
    const message = fc.oneof(
      fc.array(response, { maxLength: 3 }).map((content) => user(...content)),
      fc.array(block, { maxLength: 3 }).map((content) => assistant(...content)),
      fc.constant(system(text('s'))),
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), (messages) => {
        const turns = arrangeTurns(messages, false);
        turns.forEach((turn, index) => {
          expect(turn.role).toBe(index % 2 === 0 ? 'user' : 'assistant');
          const results = turn.content.filter(({ type }) => type === 'tool-result');
          expect(turn.content.slice(0, results.length)).toEqual(results);
          const calls = turns[index - 1]?.content.filter((one) => one.type === 'tool-call') ?? [];
          expect(results.map((one) => one.type === 'tool-result' && one.callId)).toEqual(
            calls.map(({ callId }) => callId),
          );
        });
      }),
    );
  });
});
