import { GatewayError } from '@sluice/canonical';
import {
  type BudgetBalance,
  type LimitedRequest,
  type LimitReached,
  type OverBudget,
  overBudgetMessage,
} from '@sluice/limits';
import type { MaxTokens } from './reservation/max-tokens.ts';
import { duration } from './limit-headers.ts';

type Reached = Pick<LimitedRequest, 'requestsPerMinute' | 'tokensPerMinute' | 'tokens' | 'budget' | 'nanos'> & {
  balance?: BudgetBalance | undefined;
  protocol?: string | undefined;
  max?: MaxTokens | undefined;
};

export function limitReached(reached: LimitReached, waitMs: number, request: Reached): GatewayError {
  const { requestsPerMinute, tokensPerMinute, tokens } = request;
  switch (reached) {
    case 'requests':
      return tooSoon(`${requestsPerMinute} requests`, waitMs);
    case 'tokens':
      return tooSoon(`${tokensPerMinute} tokens`, waitMs);
    case 'size': {
      const what = `The request may use ${tokens} tokens, but this key allows ${tokensPerMinute} a minute.`;
      return new GatewayError('rate_limited', `${what} Shorten the input or lower the output limit.`, {
        retryable: false,
      });
    }
    case 'budget':
      return new GatewayError('insufficient_quota', budgetMessage(request));
  }
}

function tooSoon(limit: string, retryAfterMs: number): GatewayError {
  const what = `Rate limit reached: this API key allows ${limit} a minute.`;
  return new GatewayError('rate_limited', `${what} Retry in ${duration(retryAfterMs)}.`, { retryAfterMs });
}

function budgetMessage({ budget, balance, nanos, protocol, max }: Reached): string {
  if (!budget || !balance) throw new Error('only a key with a budget is refused for it');
  return overBudgetMessage({ cost: nanos, budget, balance, ...costOf(max, protocol) });
}

/** Describes the units that make up a request's cost and how the client can lower it. */
function costOf(max: MaxTokens | undefined, protocol: string | undefined): Pick<OverBudget, 'units' | 'remedy'> {
  if (!max) return { remedy: 'Use a cheaper model' };
  const { inputTokens, outputTokens } = max.usage;
  const input = `${count(inputTokens)} input tokens`;
  if (outputTokens === 0) return { units: input, remedy: 'Shorten the input' };
  const field = OUTPUT_LIMITS[protocol ?? ''] ?? 'max_tokens';
  const output = `${count(outputTokens)} output tokens`;
  return max.isBounded
    ? { units: `${input}, ${output}`, remedy: `Lower \`${field}\`` }
    : { units: `${input}, and ${output} because \`${field}\` is not set`, remedy: `Set \`${field}\`` };
}

/** The name of the output limit's field, for protocols that do not call it `max_tokens`. */
const OUTPUT_LIMITS: Readonly<Record<string, string>> = {
  responses: 'max_output_tokens',
  'generative-content': 'generationConfig.maxOutputTokens',
};

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
