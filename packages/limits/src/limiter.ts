import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis, Result } from 'ioredis';
import { LIMIT_SCRIPTS } from './limit-scripts.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sluiceLimitAdmit(key: string, ...args: (string | number)[]): Result<AdmitReply, Context>;
    sluiceLimitRecordUsage(key: string, ...args: (string | number)[]): Result<number, Context>;
    sluiceLimitSpending(key: string, ...args: (string | number)[]): Result<SpendingReply, Context>;
  }
}

const load = scriptLoader(LIMIT_SCRIPTS);
const ADMIT = load('admit');
const RECORD_USAGE = load('record-usage');
const SPENDING = load('spending');

type AdmitReply = [string, number, number, number, number, number, number, number?, number?];
type SpendingReply = [number, number, number, number, number];

export type BudgetPeriod = 'day' | 'month' | 'total';

/** The limit that a request exceeds. `size` means that the request alone exceeds the tokens per minute. */
export type LimitReached = 'requests' | 'tokens' | 'size' | 'budget';

/** Tokens and costs are upper bounds, as far as they are known. */
export interface LimitedRequest {
  id: string;
  owner: string;
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
  budget?: { nanos: number; period: BudgetPeriod } | undefined;
  tokens: number;
  nanos: number;
}

/** The state of a rate limit. `resetMs` is the time until the full limit is available again. */
export interface RateState {
  limit: number;
  remaining: number;
  resetMs: number;
}

export interface LimitDecision {
  reached?: LimitReached; // Undefined if the request is admitted.
  /** Milliseconds until a retry can succeed, or 0 if it cannot. */
  waitMs: number;
  at: number;
  requests?: RateState;
  tokens?: RateState;
  /** Set if the budget is exceeded. */
  balance?: BudgetBalance;
}

/** Amounts in nano-dollars. `reserved` is the amount for requests and tasks in flight. */
export interface BudgetBalance {
  remaining: number;
  reserved: number;
}

export interface Usage {
  tokens: number;
  nanos: number;
}

/** A key's spending in nano-dollars. Days and months are in UTC. */
export interface Spending {
  at: number;
  /** Reserved for requests and tasks in flight. */
  reserved: number;
  day: number;
  month: number;
  total: number;
}

/** Counts the usage of API keys across all processes. Every method throws while Redis is down. */
export interface Limiter {
  admit(request: LimitedRequest): Promise<LimitDecision>;
  /** Replaces a request's reservation with its usage. If the request failed, the usage is zero. */
  recordUsage(
    request: Pick<LimitedRequest, 'id' | 'owner' | 'tokens'>,
    admittedAt: number,
    usage: Usage,
  ): Promise<void>;
  /** Charges usage without a reservation. @param id unique */
  charge(request: Pick<LimitedRequest, 'id' | 'owner'>, usage: Usage): Promise<void>;
  spending(owner: string): Promise<Spending>;
}

export interface LimiterOptions {
  prefix: string;
  /** Returns Unix milliseconds. By default, Redis's clock, which all processes share. */
  now?: () => number;
}

/** A reservation expires after this time, because its process may have died. Usage recorded later is still charged. */
const RESERVATION_MS = 3_600_000;

export function createLimiter(redis: Redis, { prefix: name, now }: LimiterOptions): Limiter {
  redis.defineCommand('sluiceLimitAdmit', { numberOfKeys: 1, lua: ADMIT });
  redis.defineCommand('sluiceLimitRecordUsage', { numberOfKeys: 1, lua: RECORD_USAGE });
  redis.defineCommand('sluiceLimitSpending', { numberOfKeys: 1, lua: SPENDING });
  // The task scripts share the budget, so these keys use the same hash tag as all other keys of a deployment.
  const prefix = `{${name}}:`;
  const commonArgs = (owner: string) => [`${prefix}budget:${owner}`, prefix, owner, now?.() ?? ''] as const;
  const record = async (owner: string, id: string, at: number | '', tokens: number, nanos: number): Promise<void> => {
    await redis.sluiceLimitRecordUsage(...commonArgs(owner), id, at, tokens, nanos);
  };

  return {
    async admit(request) {
      const { owner, requestsPerMinute, tokensPerMinute, budget } = request;
      const reply = await redis.sluiceLimitAdmit(
        ...commonArgs(owner),
        requestsPerMinute ?? '',
        tokensPerMinute ?? '',
        budget?.nanos ?? '',
        budget?.period ?? '',
        request.tokens,
        request.nanos,
        request.id,
        RESERVATION_MS,
      );
      return parseAdmitReply(reply, request);
    },
    recordUsage: ({ id, owner, tokens }, admittedAt, usage) =>
      record(owner, id, admittedAt, usage.tokens - tokens, usage.nanos),
    charge: ({ id, owner }, usage) => record(owner, id, '', usage.tokens, usage.nanos),
    async spending(owner) {
      const [at, reserved, day, month, total] = await redis.sluiceLimitSpending(...commonArgs(owner));
      return { at, reserved, day, month, total };
    },
  };
}

function parseAdmitReply(
  [decision, waitMs, at, requestsRemaining, requestsResetMs, tokensRemaining, tokensResetMs, ...balance]: AdmitReply,
  { requestsPerMinute, tokensPerMinute }: LimitedRequest,
): LimitDecision {
  const [remaining, reserved] = balance;
  return {
    ...(remaining !== undefined && reserved !== undefined && { balance: { remaining, reserved } }),
    ...(isReached(decision) && { reached: decision }),
    waitMs,
    at,
    ...(requestsPerMinute !== undefined && {
      requests: { limit: requestsPerMinute, remaining: requestsRemaining, resetMs: requestsResetMs },
    }),
    ...(tokensPerMinute !== undefined && {
      tokens: { limit: tokensPerMinute, remaining: tokensRemaining, resetMs: tokensResetMs },
    }),
  };
}

function isReached(decision: string): decision is LimitReached {
  return decision !== 'admitted';
}
