import { describe, expect, it } from 'vitest';
import { completeRequest } from './complete-request.ts';
import type { TextRequest, Turn } from './text-request.ts';

const user = (text: string, images = 0): Turn => ({ role: 'user', text, images });
const assistant = (text = ''): Turn => ({ role: 'assistant', text, images: 0 });
const weather = {
  name: 'weather',
  kind: 'function',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

function complete(turns: Turn[], more: Partial<TextRequest> = {}) {
  return completeRequest({
    model: 'm',
    turns,
    tools: [weather],
    toolUse: 'auto',
    parallel: true,
    requestsReasoning: false,
    stops: [],
    ...more,
  });
}

describe('completeRequest', () => {
  it('echoes the last user text, including multi-byte text and image counts', () => {
    expect(complete([user('old'), assistant(), user('你好 🌍', 2)]).text).toBe('You said: 你好 🌍\nI see 2 images.');
  });

  it('is deterministic', () => {
    expect(complete([user('[think] hi')])).toEqual(complete([user('[think] hi')]));
  });

  it('calls the tools that directives name, in order, with generated or literal arguments', () => {
    expect(complete([user('[tool:weather] [tool:weather {"city":"Bonn"}]')])).toMatchObject({
      finish: 'tool_calls',
      text: '',
      calls: [
        { name: 'weather', input: '{"city":"text"}' },
        { name: 'weather', input: '{"city":"Bonn"}' },
      ],
    });
  });

  it('calls no unknown tool, and none if calls are forbidden', () => {
    expect(complete([user('[tool:other]')])).toMatchObject({
      calls: [],
      text: 'You said nothing.\nThere is no tool other.',
    });
    expect(complete([user('[tool:weather]')], { toolUse: 'none' }).calls).toEqual([]);
  });

  it('calls one tool if forced, and only one if calls are not parallel', () => {
    expect(complete([user('hi')], { toolUse: 'required' }).calls).toMatchObject([{ name: 'weather' }]);
    expect(complete([user('[tool:weather][tool:weather]')], { parallel: false }).calls).toHaveLength(1);
  });

  it('passes free text to a custom tool, and the group to a grouped tool', () => {
    const tools = [{ name: 'exec', namespace: 'shell', kind: 'custom' as const }];
    expect(complete([user('[tool:shell.exec ls -l]')], { tools }).calls).toEqual([
      { name: 'exec', namespace: 'shell', kind: 'custom', input: 'ls -l' },
    ]);
  });

  it('quotes results instead of calling again, including failures and images', () => {
    const results = [
      { name: 'weather', text: 'sunny', images: 1, failed: false },
      { name: 'weather', text: 'no such city', images: 0, failed: true },
    ];
    const turns: Turn[] = [user('[tool:weather]'), assistant(), { role: 'tool', results }];
    expect(complete(turns, { toolUse: 'required' })).toMatchObject({
      calls: [],
      text: 'The tool weather answered: sunny I see 1 image.\nThe tool weather failed: no such city',
    });
    expect(complete([...turns, user('and now?')]).text).toMatch(/no such city\nYou said: and now\?$/);
  });

  it('returns JSON that fits the schema', () => {
    expect(complete([user('[json] hi')]).text).toBe('{"answer":"hi"}');
    expect(complete([user('hi')], { format: { schema: weather.schema } }).text).toBe('{"city":"text"}');
  });

  it('stops at the first stop sequence and at the token limit', () => {
    expect(complete([user('one two three')], { stops: ['three', ' two'] })).toMatchObject({
      text: 'You said: one',
      finish: 'stop_sequence',
      stopSequence: ' two',
    });
    expect(complete([user('one two three')], { maxTokens: 3 })).toMatchObject({
      text: 'You said: one',
      finish: 'length',
    });
  });

  it('returns reasoning on request, a refusal, filtered text, and an empty text', () => {
    expect(complete([user('hi')], { requestsReasoning: true }).reasoning).toBe(
      'The user wrote 1 words. I shall answer them plainly.',
    );
    expect(complete([user('[redacted] hi')])).toMatchObject({ redacted: true });
    expect(complete([user('[refuse]')]).finish).toBe('refusal');
    expect(complete([user('[filter]')])).toMatchObject({ finish: 'filter', text: '' });
    expect(complete([user('[empty]')])).toMatchObject({ finish: 'stop', text: '' });
    expect(complete([user('[long:5]')]).text).toBe('word1 word2 word3 word4 word5');
  });

  it('counts earlier turns as cached, and reasoning as output', () => {
    const none = { tools: [] };
    expect(complete([user('a b')], none).tokens).toEqual({ input: 2, cached: 0, output: 4, reasoning: 0 });
    expect(complete([user('a b'), assistant('c d e'), user('f')], none).tokens).toMatchObject({ input: 6, cached: 5 });
    const { output, reasoning } = complete([user('[think] a')], none).tokens;
    expect([output - reasoning, reasoning]).toEqual([3, 10]);
  });
});
