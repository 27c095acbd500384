import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis, Result } from 'ioredis';
import { LimitBatch, type LimitReply } from './limit-batch.ts';
import { LIMIT_SCRIPTS } from './limit-scripts.ts';
import { luaScript, runScript } from './run-script.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sluiceLimitSpending(key: string, ...args: (string | number)[]): Result<SpendingReply, Context>;
  }
}

const load = scriptLoader(LIMIT_SCRIPTS);
const SPENDING = load('spending');
const APPEND_ENTRIES = luaScript(load('append-entries'));

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
  reached?: LimitReached | undefined; // Undefined if the request is admitted.
  /** Milliseconds until a retry can succeed, or 0 if it cannot. */
  waitMs: number;
  at: number;
  requests?: RateState | undefined;
  tokens?: RateState | undefined;
  /** Set if the budget is exceeded. */
  balance?: BudgetBalance | undefined;
}

/** Amounts in nano-dollars. `reserved` is the amount for requests, tasks, and batches in flight. */
export interface BudgetBalance {
  remaining: number;
  reserved: number;
}

export interface Usage {
  tokens: number;
  nanos: number;
}

/** The field of a hash that stands for a charge. The charge removes it in the same step, and has no effect without it. */
export interface DueCharge {
  /** Key of the hash, in the deployment's hash slot. */
  key: string;
  field: string;
  /** Key of a record, from whose reservation the charge is taken. */
  record?: string | undefined;
}

/** A key's spending in nano-dollars. Days and months are in UTC. */
export interface Spending {
  at: number;
  /** Reserved for requests, tasks, and batches in flight. */
  reserved: number;
  day: number;
  month: number;
  total: number;
}

/** Counts the usage of API keys across all processes. Every method throws while Redis is down. */
export interface Limiter {
  admit(request: LimitedRequest): Promise<LimitDecision>;
  /**
   * Replaces a request's reservation with its usage. If the request failed, the usage is zero. A repetition within a
   * minute has no effect.
   * @param entry a ledger entry as JSON, which is appended in the same step
   * @param due if given, no later repetition has an effect either
   */
  recordUsage(
    request: Pick<LimitedRequest, 'id' | 'owner' | 'tokens'>,
    admittedAt: number,
    usage: Usage,
    entry?: string,
    due?: DueCharge,
  ): Promise<void>;
  /**
   * Charges usage without a reservation. A repetition within a minute has no effect.
   * @param request with a unique id
   * @param due if given, no later repetition has an effect either
   * @returns whether it is not a repetition
   */
  charge(
    request: Pick<LimitedRequest, 'id' | 'owner'>,
    usage: Usage,
    entry?: string,
    due?: DueCharge,
  ): Promise<boolean>;
  /**
   * Appends ledger entries of requests without a charge, as JSON. If it throws, some of the entries may have been
   * appended.
   */
  appendEntries(entries: readonly string[]): Promise<void>;
  spending(owner: string): Promise<Spending>;
}

export interface LimiterOptions {
  prefix: string;
  /** Maximum length of the ledger's stream. Entries beyond it are dropped and counted. By default, all entries are. */
  maxLedgerEntries?: number;
  /** Returns Unix milliseconds. By default, Redis's clock, which all processes share. */
  now?: () => number;
}

/** A reservation expires after this time, because its process may have died. Usage recorded later is still charged. */
const RESERVATION_MS = 3_600_000;

/** The script's decisions. Undefined means that the request is admitted. */
const DECISIONS: readonly (LimitReached | undefined)[] = [undefined, 'requests', 'tokens', 'size', 'budget'];

export function createLimiter(redis: Redis, { prefix: name, maxLedgerEntries = 0, now }: LimiterOptions): Limiter {
  redis.defineCommand('sluiceLimitSpending', { numberOfKeys: 1, lua: SPENDING });
  // The task scripts share the budget, so these keys use the same hash tag as all other keys of a deployment.
  const prefix = `{${name}}:`;
  const batch = new LimitBatch(redis, { prefix, now, reservationMs: RESERVATION_MS, maxLedgerEntries });
  const record = async (
    { owner, id }: Pick<LimitedRequest, 'id' | 'owner'>,
    at: string,
    { tokens, nanos }: Usage,
    entry = '',
    due?: DueCharge,
  ): Promise<boolean> => {
    const dueArg = due ? `${due.field} ${due.key} ${due.record ?? ''}` : '';
    const reply = await batch.send(['record', owner, id, at, String(tokens), String(nanos), entry, dueArg]);
    return reply === 1;
  };

  return {
    async admit(request) {
      const { owner, id, requestsPerMinute, tokensPerMinute, budget, tokens, nanos } = request;
      const limits = [String(requestsPerMinute ?? ''), String(tokensPerMinute ?? '')];
      const reserved = [String(budget?.nanos ?? ''), budget?.period ?? '', String(tokens), String(nanos)];
      return toDecision(await batch.send(['admit', owner, id, ...limits, ...reserved]), request);
    },
    async recordUsage(request, admittedAt, { tokens, nanos }, entry, due) {
      await record(request, String(admittedAt), { tokens: tokens - request.tokens, nanos }, entry, due);
    },
    charge: (request, usage, entry, due) => record(request, '', usage, entry, due),
    async appendEntries(entries) {
      // JSON contains no line breaks. One long argument costs less than many.
      const args = [prefix, String(maxLedgerEntries), entries.join('\n')];
      await runScript(redis, APPEND_ENTRIES, ['1', `${prefix}ledger`, ...args]);
    },
    async spending(owner) {
      const key = `${prefix}budget:${owner}`;
      const [at, reserved, day, month, total] = await redis.sluiceLimitSpending(key, prefix, owner, now?.() ?? '');
      return { at, reserved, day, month, total };
    },
  };
}

function toDecision(reply: LimitReply, { requestsPerMinute, tokensPerMinute }: LimitedRequest): LimitDecision {
  if (typeof reply === 'number') throw new Error('the script replied to an admission with a number');
  const [decision = 0, waitMs = 0, at = 0, requests = 0, requestsResetMs = 0, tokens = 0, tokensResetMs = 0] = reply;
  return {
    reached: DECISIONS[decision],
    waitMs,
    at,
    requests: rateState(requestsPerMinute, requests, requestsResetMs),
    tokens: rateState(tokensPerMinute, tokens, tokensResetMs),
    balance: reply.length > 7 ? { remaining: reply[7] ?? 0, reserved: reply[8] ?? 0 } : undefined,
  };
}

function rateState(limit: number | undefined, remaining: number, resetMs: number): RateState | undefined {
  return limit === undefined ? undefined : { limit, remaining, resetMs };
}
