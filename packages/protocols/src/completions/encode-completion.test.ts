import { describe, expect, it } from 'vitest';
import { encodeCompletion } from './encode-completion.ts';
import { TextCompletionSchema } from './schema.ts';

const chat = (texts: string[], usage?: object) => ({
  choices: texts.map((content, index) => ({ index, message: { role: 'assistant', content }, finish_reason: 'stop' })),
  ...(usage && { usage }),
});

function encode(responses: unknown[], echo = false, choicesPerPrompt = 1) {
  const completion = { prompts: ['P', 'Q'], request: () => ({}), echo, choicesPerPrompt };
  return TextCompletionSchema.parse(
    encodeCompletion(responses, { completion, model: 'client-model', createdAt: 7, newId: (prefix) => `${prefix}x` }),
  );
}

const ended = (finish_reason: string) => ({
  choices: [{ index: 0, message: { content: null, refusal: 'no' }, finish_reason }],
});

describe('encodeCompletion', () => {
  it('numbers the choices of all prompts and sums their usage, including details', () => {
    const usage = {
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      prompt_tokens_details: { cached_tokens: 1 },
    };
    expect(encode([chat(['a', 'b'], usage), chat(['c', 'd'], usage)], false, 2)).toEqual({
      id: 'cmpl-x',
      object: 'text_completion',
      created: 7,
      model: 'client-model',
      choices: ['a', 'b', 'c', 'd'].map((text, index) => ({ text, index, logprobs: null, finish_reason: 'stop' })),
      usage: { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6, prompt_tokens_details: { cached_tokens: 2 } },
    });
  });

  it('begins each text with its own prompt if echo is set', () => {
    expect(encode([chat(['a']), chat(['b'])], true).choices.map(({ text }) => text)).toEqual(['Pa', 'Qb']);
  });

  it('supports three finish reasons and omits unknown usage', () => {
    const response = encode([ended('length'), ended('tool_calls')]);
    expect(response.choices.map((choice) => choice.finish_reason)).toEqual(['length', 'stop']);
    expect(response.choices[0]?.text).toBe('no');
    expect(JSON.parse(JSON.stringify(response))).not.toHaveProperty('usage');
  });
});
