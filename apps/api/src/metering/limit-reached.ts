import { GatewayError } from '@sluice/canonical';
import { type LimitedRequest, type LimitReached, unpaidMessage } from '@sluice/limits';
import { duration } from './limit-headers.ts';

/** What a client is told whose key has reached a limit. */
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
      const what = `The request may use ${tokens} tokens, and this key has ${tokensPerMinute} a minute.`;
      return new GatewayError('rate_limited', `${what} Send less, or allow fewer output tokens.`, { retryable: false });
    }
    case 'budget':
      return new GatewayError('insufficient_quota', unpaidMessage('request', budget?.period));
  }
}

function tooSoon(limit: string, retryAfterMs: number): GatewayError {
  const what = `Rate limit reached: this API key has ${limit} a minute.`;
  return new GatewayError('rate_limited', `${what} Try again in ${duration(retryAfterMs)}.`, { retryAfterMs });
}
