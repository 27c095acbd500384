import { describe, expect, it } from 'vitest';
import { parseInput } from '../json/parse-input.ts';
import { decodeCompletion } from './decode-completion.ts';
import { CompletionsTopLevel } from './schema.ts';

const decode = (body: Record<string, unknown>) =>
  decodeCompletion(parseInput(CompletionsTopLevel, { model: 'm', ...body }));

describe('decodeCompletion', () => {
  it('creates one chat request per prompt with the shared fields', () => {
    const { prompts, request, echo, choicesPerPrompt } = decode({
      prompt: ['a', 'b'],
      max_tokens: 5,
      temperature: 0,
      n: 2,
      stop: ['x'],
      stream: true,
      stream_options: { include_usage: true },
      echo: true,
      best_of: 1,
      suffix: '',
      logprobs: null,
    });
    expect({ prompts, echo, choicesPerPrompt }).toEqual({ prompts: ['a', 'b'], echo: true, choicesPerPrompt: 2 });
    expect(request('b')).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'b' }],
      max_tokens: 5,
      temperature: 0,
      n: 2,
      stop: ['x'],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('reads a single text as one prompt', () => {
    expect(decode({ prompt: '' })).toMatchObject({ prompts: [''], echo: false, choicesPerPrompt: 1 });
  });

  it.each([
    [{ prompt: [1, 2] }, 'unsupported_parameter', 'prompt'],
    [{ prompt: [[1], [2]] }, 'unsupported_parameter', 'prompt'],
    [{ prompt: 'a', suffix: 'b' }, 'unsupported_parameter', 'suffix'],
    [{ prompt: 'a', logprobs: 0 }, 'unsupported_parameter', 'logprobs'],
    [{ prompt: 'a', best_of: 2, n: 2 }, 'unsupported_parameter', 'best_of'],
    [{ prompt: ['a', null] }, 'invalid_request', 'prompt[1]'],
    [{}, 'invalid_request', 'prompt'],
    [{ prompt: [] }, 'invalid_request', 'prompt'],
    [{ prompt: 'a', n: 0 }, 'invalid_request', 'n'],
    [{ prompt: 'a', max_tokens: 'x' }, 'invalid_request', 'max_tokens'],
  ])('rejects %j', (body, code, param) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code, param, status: 400 }));
  });
});
