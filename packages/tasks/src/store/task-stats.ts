import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';

/** Statistics of the whole deployment, read from Redis. */
export interface TaskStats {
  tasks: Record<string, number>;
  submissions: number;
  unknowns: number;
  unclearPolls: number;
  fencedWrites: number;
  reconciled: number; // The number of steps that the sweeper has woken.
  /** Cumulative histogram of how late polls are. Bounds are in milliseconds. */
  lateness: { buckets: [bound: number, count: number][]; sumMs: number; count: number };
  waitingForStorage: number; // The number of tasks that wait for the content store.
  /** The slots of each upstream account whose caps a worker has saved. */
  slots: Record<string, AccountSlots>;
  /** When a worker last claimed a step, per upstream account, in Unix milliseconds. */
  lastClaimAt: Record<string, number>;
}

interface AccountSlots {
  inFlight: SlotUse;
  submitting: SlotUse;
  /** Milliseconds for which a busy account gets no submissions. Undefined if it is not paused. */
  pausedMs?: number;
}

export interface SlotUse {
  used: number;
  max?: number;
}

/** Upper bounds of the histogram's buckets, in milliseconds. Greater lateness is counted as `inf`. */
export const LATENESS_BOUNDS_MS: readonly number[] = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000,
];

export async function readTaskStats(redis: Redis, keys: Keyspace): Promise<TaskStats> {
  const [stats, waitingForStorage, slots] = await Promise.all([
    redis.hgetall(keys.stats),
    redis.scard(keys.storageWaiting),
    readSlots(redis, keys),
  ]);
  const number = (field: string): number => Number(stats[field] ?? 0);
  const withPrefix = (prefix: string): Record<string, number> =>
    Object.fromEntries(
      Object.entries(stats)
        .filter(([field]) => field.startsWith(prefix))
        .map(([field, value]) => [field.slice(prefix.length), Number(value)]),
    );

  let count = 0;
  const buckets = LATENESS_BOUNDS_MS.map((bound): [number, number] => {
    count += number(`late:${bound}`);
    return [bound, count];
  });
  return {
    tasks: withPrefix('tasks:'),
    submissions: number('submissions'),
    unknowns: number('unknowns'),
    unclearPolls: number('unclear'),
    fencedWrites: number('fenced'),
    reconciled: number('reconciled'),
    lateness: { buckets, sumMs: number('late:sum'), count: count + number('late:inf') },
    waitingForStorage,
    slots,
    lastClaimAt: withPrefix('claim:'),
  };
}

/** The hash of caps has the field `<account>:submitting` for each account, and `<account>:in_flight` if it is limited. */
async function readSlots(redis: Redis, keys: Keyspace): Promise<TaskStats['slots']> {
  const caps = await redis.hgetall(keys.caps);
  const accounts = Object.keys(caps).flatMap((field) => /^(.*):submitting$/.exec(field)?.[1] ?? []);
  const read = async (account: string): Promise<[string, AccountSlots]> => {
    const [inFlight, submitting, pausedMs] = await Promise.all([
      redis.scard(keys.inFlight(account)),
      redis.scard(keys.submitting(account)),
      redis.pttl(`${keys.prefix}pause:${account}`),
    ]);
    const max = caps[`${account}:in_flight`];
    return [
      account,
      {
        inFlight: { used: inFlight, ...(max !== undefined && { max: Number(max) }) },
        submitting: { used: submitting, max: Number(caps[`${account}:submitting`]) },
        ...(pausedMs > 0 && { pausedMs }),
      },
    ];
  };
  return Object.fromEntries(await Promise.all(accounts.map(read)));
}
