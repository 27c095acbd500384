import { GatewayError } from '@sluice/canonical';
import { type LimitedRequest, type LimitReached, overBudgetMessage } from '@sluice/limits';
import { duration } from './limit-headers.ts';

export function limitReached(
  reached: LimitReached,
  waitMs: number,
  {
    requestsPerMinute,
    tokensPerMinute,
    tokens,
    budget,
  }: Pick<LimitedRequest, 'requestsPerMinute' | 'tokensPerMinute' | 'tokens' | 'budget'>,
): GatewayError {
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
      return new GatewayError('insufficient_quota', overBudgetMessage('request', budget?.period));
  }
}

function tooSoon(limit: string, retryAfterMs: number): GatewayError {
  const what = `Rate limit reached: this API key allows ${limit} a minute.`;
  return new GatewayError('rate_limited', `${what} Retry in ${duration(retryAfterMs)}.`, { retryAfterMs });
}
