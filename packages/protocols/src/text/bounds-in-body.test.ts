import { describe, expect, it } from 'vitest';
import { boundsInBody } from './bounds-in-body.ts';

const bounds = (protocol: Parameters<typeof boundsInBody>[0], body: Record<string, unknown>) =>
  boundsInBody(protocol, (name) => body[name]);

describe('boundsInBody', () => {
  it.each([
    ['chat-completions', { max_completion_tokens: 1, max_tokens: 900, n: 3 }, { maxOutputTokens: 900, choices: 3 }],
    ['chat-completions', { max_completion_tokens: 8, max_tokens: -1 }, { maxOutputTokens: 8, choices: 1 }],
    ['responses', { max_output_tokens: 5, n: 9 }, { maxOutputTokens: 5, choices: 1 }],
    ['messages', { max_tokens: 7 }, { maxOutputTokens: 7, choices: 1 }],
    [
      'generative-content',
      { generationConfig: { maxOutputTokens: 2, candidateCount: 2 }, generation_config: { max_output_tokens: '40' } },
      { maxOutputTokens: 40, choices: 2 },
    ],
  ] as const)('reads the largest limits of %s %j', (protocol, body, expected) => {
    expect(bounds(protocol, body)).toEqual(expected);
  });

  it.each([
    [{ max_tokens: 1, max_new_tokens: 900 }, 1, 900],
    [{ max_tokens: 1, reasoning: { max_tokens: 800 } }, 1, 800],
    [{ extra_body: { max_tokens: 700 } }, undefined, 700],
    [{ options: { num_predict: 600 }, max_output_tokens: 9 }, undefined, 600],
  ])('reads the limits of other APIs in %j', (body, maxOutputTokens, otherMaxTokens) => {
    expect(bounds('chat-completions', body)).toEqual({ maxOutputTokens, otherMaxTokens, choices: 1 });
  });

  it('counts the choices of other APIs', () => {
    expect(bounds('chat-completions', { n: 1, best_of: 4 }).choices).toBe(4);
    expect(bounds('chat-completions', { extra_body: { n: 5 } }).choices).toBe(5);
  });

  it.each([{}, { max_tokens: null }, { max_tokens: 0 }, { max_tokens: 'many', n: -3 }, { n: Number.NaN }])(
    'reads no limits in %j',
    (body) => {
      expect(bounds('chat-completions', body)).toEqual({ choices: 1 });
    },
  );
});
