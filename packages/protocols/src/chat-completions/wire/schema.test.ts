import { EFFORTS } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../json/parse-input.ts';
import { CreateChatCompletionSchema } from './schema.ts';

const min = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

describe('top level of a chat request', () => {
  it.each([
    ['temperature', [0, 1.5, 2], [-0.1, 2.1, 'hot']],
    ['top_p', [0, 1], [-1, 1.01]],
    ['n', [1, 8], [0, 1.5]],
    ['presence_penalty', [-2, 2], [-2.1, 2.1]],
    ['frequency_penalty', [-2, 2], [-3, 3]],
    ['reasoning_effort', EFFORTS, ['huge', 3]],
    ['max_tokens', [1], [1.5, '10']],
    ['stop', ['x', ['x', 'y']], [3, [1]]],
    ['tool_choice', ['auto', { type: 'function' }], [3]],
    ['logit_bias', [{ '50256': -100 }], [{ a: 'b' }, []]],
    ['stream', [true, false], ['true']],
  ] as const)('enforces the limits and type of %s', (field, good, bad) => {
    for (const value of good) expect(parseInput(CreateChatCompletionSchema, { ...min, [field]: value })).toBeDefined();
    for (const value of bad) {
      expect(() => parseInput(CreateChatCompletionSchema, { ...min, [field]: value })).toThrow(field);
    }
  });

  it('requires a model and at least one message', () => {
    expect(() => parseInput(CreateChatCompletionSchema, { messages: min.messages })).toThrow('model is required.');
    expect(() => parseInput(CreateChatCompletionSchema, { model: 'm' })).toThrow('messages is required.');
    expect(() => parseInput(CreateChatCompletionSchema, { model: 'm', messages: [] })).toThrow('at least one message');
  });

  it('accepts null for every optional field, and unknown members', () => {
    const optional = Object.keys(CreateChatCompletionSchema.shape).filter((name) => !(name in min));
    const body = { ...min, ...Object.fromEntries(optional.map((name) => [name, null])), chat_template_kwargs: {} };
    expect(parseInput(CreateChatCompletionSchema, body)).toEqual(body);
  });

  it('does not validate the contents of messages', () => {
    expect(parseInput(CreateChatCompletionSchema, { model: 'm', messages: [{ role: 'nobody' }] })).toBeDefined();
  });
});
