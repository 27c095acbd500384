import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import type { BudgetPeriod } from './limiter.ts';
import { LIMIT_SCRIPTS } from './limit-scripts.ts';
import { luaScript, runScript } from './run-script.ts';
import type { Credential, LimitName, Rest, RestReason } from './credential.ts';

const SCRIPT = luaScript(scriptLoader(LIMIT_SCRIPTS)('credentials'));

/**
 * How long Redis keeps a process's part of a limit after its last exchange. In the last {@link WINDOW_MS} of it, the
 * process makes no calls, so that those before have left the vendor's window when others get the part.
 */
const LEASE_MS = 95_000;
const WINDOW_MS = 62_000;
export const USABLE_MS: number = LEASE_MS - WINDOW_MS;

const DAY_MS = 24 * 3_600_000;

/** A rest that this process has not announced yet, or the end of one. */
export interface Announcement {
  account: string;
  rest: Rest | 'ready';
  /** Of the credential that rests. Other processes may have a newer one. */
  secretHash: string | undefined;
}

interface ExchangeReply {
  credentials?: [held: Partial<Record<LimitName, number>>, load: number, spent: number][];
  rests?: [account: string, number: number, reason: RestReason | '', ms: number, secretHash: string][];
}

export interface AdoptedRest {
  account: string;
  number: number;
  rest: { reason: RestReason; ms: number } | undefined;
  secretHash: string;
}

export interface ExchangeOptions {
  redis: Redis;
  /** The Redis prefix of the gateway. */
  prefix: string;
  /** Unique among the API processes. */
  process: string;
  /** Unix milliseconds, for the periods of budgets. */
  unixNow: () => number;
}

export interface ExchangeReport {
  credentials: readonly Credential[];
  announcements: readonly Announcement[];
  /** Whether the process makes no more calls, so that others get what it has not used. */
  isLast: boolean;
}

/** Sends this process's use of credentials to Redis, and applies its new parts of the limits. @returns all rests */
export async function exchangeOnce(
  { redis, prefix, process, unixNow }: ExchangeOptions,
  { credentials, announcements, isLast }: ExchangeReport,
): Promise<AdoptedRest[]> {
  const sent = credentials.map((one) => ({ one, nanos: one.unsentNanos }));
  const at = unixNow();
  const report = {
    credentials: sent.map(({ one, nanos }) => ({
      account: one.account,
      load: one.inFlight,
      limits: Object.fromEntries(
        [...one.shares].map(([name, share]) => {
          const { limit, held: part, wanted } = share.report();
          return [name, isLast ? [limit, Math.ceil(share.used), 0] : [limit, part, wanted]];
        }),
      ),
      ...(one.budget && { spent: String(Math.round(nanos)), ...periodAt(one.budget.period, at) }),
    })),
    rests: announcements.map(({ account, rest, secretHash = '' }) =>
      rest === 'ready' ? [account, '', 0, secretHash] : [account, rest.reason, finite(rest.ms ?? 0), secretHash],
    ),
  };
  const leaseMs = String(isLast ? WINDOW_MS : LEASE_MS);
  const keyPrefix = `{${prefix}}:`;
  const key = `${keyPrefix}credentials:rests`;
  const args = ['1', key, keyPrefix, process, leaseMs, isLast ? 'last' : '', JSON.stringify(report)];
  // The cast is safe because the script returns its JSON.
  const reply = JSON.parse((await runScript(redis, SCRIPT, args)) as string) as ExchangeReply;
  for (const [index, { one, nanos }] of sent.entries()) {
    const [held = {}, load = 0, spent = 0] = reply.credentials?.[index] ?? [];
    for (const [name, share] of one.shares) share.hold(held[name] ?? 0);
    one.inFlightElsewhere = load;
    one.unsentNanos -= nanos;
    one.spentNanos = spent;
    if (one.budget) one.budgetResetMs = budgetResetMs(one.budget.period, at);
  }
  return (reply.rests ?? []).map(([account, number, reason, ms, secretHash]) => ({
    account,
    number,
    secretHash,
    rest: reason === '' ? undefined : { reason, ms: ms < 0 ? Number.POSITIVE_INFINITY : ms },
  }));
}

function finite(ms: number): number {
  return Number.isFinite(ms) ? Math.ceil(ms) : -1;
}

/** The period that contains a time, and how long Redis keeps its sum. */
function periodAt(period: BudgetPeriod, at: number): { period: string; periodMs: number } {
  const date = new Date(at).toISOString();
  if (period === 'day') return { period: date.slice(0, 10), periodMs: 2 * DAY_MS };
  if (period === 'month') return { period: date.slice(0, 7), periodMs: 62 * DAY_MS };
  return { period: 'total', periodMs: 0 };
}

/** Milliseconds until a budget resets. Infinite if it never does. */
function budgetResetMs(period: BudgetPeriod, at: number): number {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (period === 'day') return Date.UTC(year, month, day + 1) - at;
  return period === 'month' ? Date.UTC(year, month + 1, 1) - at : Number.POSITIVE_INFINITY;
}
