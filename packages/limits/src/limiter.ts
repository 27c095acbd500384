import type { Redis, Result } from 'ioredis';
import { ADMIT_SCRIPT, SETTLE_SCRIPT, SPENDING_SCRIPT } from './limit-scripts.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sluiceLimitAdmit(key: string, ...args: (string | number)[]): Result<LimitResponse, Context>;
    sluiceLimitSettle(key: string, ...args: (string | number)[]): Result<number, Context>;
    sluiceLimitSpending(key: string, ...args: (string | number)[]): Result<SpendingResponse, Context>;
  }
}

type LimitResponse = [string, number, number, number, number, number, number];
type SpendingResponse = [number, number, number, number, number];

/** How long a budget lasts: a day or a month by UTC, or for good. */
export type BudgetPeriod = 'day' | 'month' | 'total';

/** What forbids a request: its number, its tokens, more tokens than a minute has, or its price. */
export type LimitReached = 'requests' | 'tokens' | 'size' | 'budget';

/** A request that wants to be let in. Tokens and money are what it may use at most, as far as that is known. */
export interface LimitedRequest {
  /** Unique; what is held is settled under it. */
  id: string;
  /** Name of the key. */
  owner: string;
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
  budget?: { nanos: number; period: BudgetPeriod } | undefined;
  tokens: number;
  nanos: number;
}

/** How much of a rate is left, and in how many milliseconds all of it is back. */
export interface RateState {
  limit: number;
  left: number;
  resetMs: number;
}

/** What became of a {@link LimitedRequest}. */
export interface LimitDecision {
  /** Absent: the request is let in. */
  reached?: LimitReached;
  /** When trying again can help, in milliseconds from now; 0 where it cannot. */
  waitMs: number;
  /** Redis' clock, Unix milliseconds. */
  at: number;
  requests?: RateState;
  tokens?: RateState;
}

/** What a request has really used. */
export interface RealUse {
  tokens: number;
  nanos: number;
}

/** What a key has spent, in nano-dollars; days and months are those of UTC. */
export interface Spending {
  /** When that was, by Redis' clock, Unix milliseconds. */
  at: number;
  /** Held for what is under way. */
  held: number;
  day: number;
  month: number;
  total: number;
}

/** Counts what keys use, for all processes together. Every method costs one round trip and throws while Redis is away. */
export interface Limiter {
  admit(request: LimitedRequest): Promise<LimitDecision>;
  /** Puts what a request has really used in place of what was held for it; all zero where it has failed. */
  settle(request: Pick<LimitedRequest, 'id' | 'owner' | 'tokens'>, admittedAt: number, used: RealUse): Promise<void>;
  /** Counts what nothing was held for. @param id unique */
  charge(request: Pick<LimitedRequest, 'id' | 'owner'>, used: RealUse): Promise<void>;
  /** What a key has spent, whether it has a budget now or had one. */
  spending(owner: string): Promise<Spending>;
}

/** What {@link createLimiter} needs beside a connection. */
export interface LimiterOptions {
  /** Name under which all keys live. */
  prefix: string;
  /** Unix milliseconds; default the clock of Redis, which all processes share. */
  now?: () => number;
}

/** How long money is held for a request whose process may have died. What is settled later is spent all the same. */
const HELD_MS = 3_600_000;

/** Builds a {@link Limiter} on a connection of the caller's. */
export function createLimiter(redis: Redis, { prefix: name, now }: LimiterOptions): Limiter {
  redis.defineCommand('sluiceLimitAdmit', { numberOfKeys: 1, lua: ADMIT_SCRIPT });
  redis.defineCommand('sluiceLimitSettle', { numberOfKeys: 1, lua: SETTLE_SCRIPT });
  redis.defineCommand('sluiceLimitSpending', { numberOfKeys: 1, lua: SPENDING_SCRIPT });
  // The same hash tag as all keys of one Sluice: the task scripts share the budget.
  const prefix = `{${name}}:`;
  const begin = (owner: string) => [`${prefix}budget:${owner}`, prefix, owner, now?.() ?? ''] as const;
  const settle = async (owner: string, id: string, at: number | '', tokens: number, nanos: number): Promise<void> => {
    await redis.sluiceLimitSettle(...begin(owner), id, at, tokens, nanos);
  };

  return {
    async admit({ id, owner, requestsPerMinute, tokensPerMinute, budget, tokens, nanos }) {
      const [decision, waitMs, at, ...left] = await redis.sluiceLimitAdmit(
        ...begin(owner),
        requestsPerMinute ?? '',
        tokensPerMinute ?? '',
        budget?.nanos ?? '',
        budget?.period ?? '',
        tokens,
        nanos,
        id,
        HELD_MS,
      );
      const [requestsLeft, requestsResetMs, tokensLeft, tokensResetMs] = left;
      return {
        ...(isReached(decision) && { reached: decision }),
        waitMs,
        at,
        ...(requestsPerMinute !== undefined && {
          requests: { limit: requestsPerMinute, left: requestsLeft, resetMs: requestsResetMs },
        }),
        ...(tokensPerMinute !== undefined && {
          tokens: { limit: tokensPerMinute, left: tokensLeft, resetMs: tokensResetMs },
        }),
      };
    },
    settle: ({ id, owner, tokens }, admittedAt, used) =>
      settle(owner, id, admittedAt, used.tokens - tokens, used.nanos),
    charge: ({ id, owner }, used) => settle(owner, id, '', used.tokens, used.nanos),
    async spending(owner) {
      const [at, held, day, month, total] = await redis.sluiceLimitSpending(...begin(owner));
      return { at, held, day, month, total };
    },
  };
}

function isReached(decision: string): decision is LimitReached {
  return decision !== 'admitted';
}
