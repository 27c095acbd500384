import type { TextRequest } from '@sluice/protocols';
import type { MaxTokens } from '../metering/reservation/max-tokens.ts';
import { estimateTextTokens } from '../metering/estimate-tokens.ts';

/** The maximum tokens of a legacy completion: `n` responses for each prompt. */
export function completionTokens(request: TextRequest, outputTokens: number): MaxTokens {
  const { prompt, max_tokens: max, n, best_of: best } = request.body();
  const prompts: readonly unknown[] = Array.isArray(prompt) && !isTokens(prompt) ? prompt : [prompt];
  const responses = prompts.length * Math.max(countOf(n) ?? 1, countOf(best) ?? 1);
  return {
    usage: {
      inputTokens: prompts.reduce<number>((sum, one) => sum + promptTokens(one), 0),
      outputTokens: responses * (countOf(max) ?? outputTokens),
    },
    isBounded: countOf(max) !== undefined,
  };
}

function promptTokens(prompt: unknown): number {
  if (Array.isArray(prompt)) return prompt.length;
  return typeof prompt === 'string' ? estimateTextTokens(prompt) : 0;
}

function isTokens(prompt: readonly unknown[]): boolean {
  return typeof prompt[0] === 'number';
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
