import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { createCompletionStreamEncoder } from './encode-completion-stream.ts';
import { TextCompletionSchema } from './schema.ts';

const chunk = (delta: object, finish_reason: string | null = null, index = 0) => ({
  choices: [{ index, delta, finish_reason }],
});

function encoder({ echo = false, includesUsage = false, choicesPerPrompt = 1 } = {}) {
  return createCompletionStreamEncoder({
    completion: { prompts: ['P', 'Q'], request: () => ({}), echo, choicesPerPrompt },
    model: 'client-model',
    createdAt: 7,
    newId: (prefix) => `${prefix}x`,
    includesUsage,
    encodeError: chatCompletionsProtocol.encodeError,
  });
}
const frames = (text: string) =>
  text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => TextCompletionSchema.parse(JSON.parse(frame.slice(6))));

describe('text completion streams', () => {
  it('merges the streams of several prompts into one, with a single [DONE]', () => {
    const stream = encoder({ choicesPerPrompt: 2 });
    const text =
      stream.push(0, chunk({ role: 'assistant', content: '' })) +
      stream.push(1, chunk({ content: 'b' }, null, 1)) +
      stream.push(0, chunk({ content: 'a' })) +
      stream.push(0, chunk({}, 'length')) +
      stream.push(1, chunk({}, 'tool_calls', 1)) +
      stream.end();
    expect(frames(text).flatMap(({ choices }) => choices)).toEqual([
      { text: 'b', index: 3, logprobs: null, finish_reason: null },
      { text: 'a', index: 0, logprobs: null, finish_reason: null },
      { text: '', index: 0, logprobs: null, finish_reason: 'length' },
      { text: '', index: 3, logprobs: null, finish_reason: 'stop' },
    ]);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(stream.end()).toBe('');
  });

  it('begins each choice with its prompt once if echo is set', () => {
    const stream = encoder({ echo: true });
    const text = stream.push(1, chunk({ content: 'a' })) + stream.push(1, chunk({ content: 'b' }));
    expect(frames(text).map(({ choices }) => choices[0]?.text)).toEqual(['Q', 'a', 'b']);
  });

  it('sends the summed usage only on request', () => {
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
    const withUsage = encoder({ includesUsage: true });
    const text =
      withUsage.push(0, chunk({ content: 'a' })) +
      withUsage.push(0, usage) +
      withUsage.push(1, usage) +
      withUsage.end();
    expect(frames(text).map((frame) => frame.usage)).toEqual([
      null,
      { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 },
    ]);
    const withoutUsage = encoder();
    expect(withoutUsage.push(0, usage) + withoutUsage.end()).toBe('data: [DONE]\n\n');
  });

  it('ends with the first error of any stream', () => {
    const withError = encoder();
    expect(withError.push(0, { error: { message: 'boom' } })).toBe('data: {"error":{"message":"boom"}}\n\n');
    expect(withError.push(1, chunk({ content: 'a' })) + withError.end()).toBe('');
    const failed = encoder();
    expect(failed.fail(new GatewayError('provider_error', 'It broke.'))).toContain('"provider_error"');
    expect(failed.end()).toBe('');
  });
});
