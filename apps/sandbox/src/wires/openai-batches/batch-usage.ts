import { isObject } from '../../schema/json.ts';

function numberAt(value: unknown, ...names: string[]): number {
  const found: unknown[] = names.map((name) => Object(value)[name]);
  return found.find((number) => typeof number === 'number') ?? 0;
}

/** Adds up the usage of the lines. */
export function createUsageSum() {
  const sum = { input: 0, cached: 0, output: 0, reasoning: 0 };
  return {
    /** @param body the response of any endpoint of OpenAI. */
    add(body: unknown): void {
      const usage: unknown = isObject(body) ? body['usage'] : undefined;
      const { input_tokens_details, prompt_tokens_details, output_tokens_details, completion_tokens_details } =
        Object(usage);
      sum.input += numberAt(usage, 'input_tokens', 'prompt_tokens');
      sum.cached += numberAt(input_tokens_details ?? prompt_tokens_details, 'cached_tokens');
      sum.output += numberAt(usage, 'output_tokens', 'completion_tokens');
      sum.reasoning += numberAt(output_tokens_details ?? completion_tokens_details, 'reasoning_tokens');
    },
    /** Formats the field `usage` of a batch. */
    format: () => ({
      input_tokens: sum.input,
      input_tokens_details: { cached_tokens: sum.cached },
      output_tokens: sum.output,
      output_tokens_details: { reasoning_tokens: sum.reasoning },
      total_tokens: sum.input + sum.output,
    }),
  };
}

export type UsageSum = ReturnType<typeof createUsageSum>;
