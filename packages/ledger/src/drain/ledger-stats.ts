import type { Redis } from 'ioredis';
import { ledgerKeys } from '../entry/ledger-keys.ts';

/** The state of the stream, for the entire deployment. */
export interface LedgerStats {
  /** Entries that no worker has stored yet. */
  waiting: number;
  /** Age of the oldest of them; 0 if there are none. */
  oldestAgeMs: number;
  /** Entries that workers have moved to the store. */
  stored: number;
  /** Entries that were lost because the stream was full. */
  dropped: number;
  /** Entries that were lost because a worker could not parse them. */
  unreadable: number;
}

/** @param now Unix milliseconds */
export async function readLedgerStats(redis: Redis, prefix: string, now: number): Promise<LedgerStats> {
  const keys = ledgerKeys(prefix);
  const [waiting, [oldest], dropped, [stored, unreadable]] = await Promise.all([
    redis.xlen(keys.stream),
    redis.xrange(keys.stream, '-', '+', 'COUNT', 1),
    redis.get(keys.dropped),
    redis.hmget(keys.drained, 'stored', 'unreadable'),
  ]);
  // The id of a stream's entry begins with Redis's time in milliseconds.
  const oldestAt = oldest ? Number.parseInt(oldest[0], 10) : now;
  return {
    waiting,
    oldestAgeMs: Math.max(0, now - oldestAt),
    stored: Number(stored ?? 0),
    dropped: Number(dropped ?? 0),
    unreadable: Number(unreadable ?? 0),
  };
}
