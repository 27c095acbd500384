import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { LedgerEntry } from '../entry/ledger-entry.ts';
import { ledgerKeys, type LedgerKeys } from '../entry/ledger-keys.ts';
import { parseEntry } from '../entry/parse-entry.ts';
import type { LedgerStore } from '../store/ledger-store.ts';
import { drainLock } from './drain-lock.ts';

export interface LedgerDrainOptions {
  /** Its commands wait while Redis is unavailable. */
  redis: Redis;
  prefix: string;
  store: LedgerStore;
  retention: { entriesMs: number; rollupsMs: number };
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  now?: () => number;
}

export interface LedgerDrain {
  /** Finishes the batch in flight, but waits at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** About 1 MB. Redis needs a millisecond to read it, and larger batches are hardly cheaper per entry. */
const BATCH = 1_000;
/** A report lags behind by this time. */
const POLL_MS = 500;
const LOCK_MS = 10_000;
const LOCK_RETRY_MS = 2_000;
const [MIN_RETRY_MS, MAX_RETRY_MS] = [200, 10_000];
/** Readers of {@link LedgerKeys.stored} read it twice a second, and a lost message does no harm. */
const MAX_STORED_MESSAGES = 100;
const RETENTION_INTERVAL_MS = 3_600_000;

/**
 * Moves entries from the Redis stream to the store until it is closed. An entry is deleted from the stream after it is
 * stored. If the worker dies in between, the next one reads the entry again, and the store ignores it.
 */
export function startLedgerDrain(options: LedgerDrainOptions): LedgerDrain {
  const stopping = new AbortController();
  const drainer = new Drainer(options);
  const finished = run(drainer, stopping.signal, options.logger);
  return {
    async close(graceMs) {
      stopping.abort();
      const timer = new AbortController();
      await Promise.race([finished, sleep(graceMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
      timer.abort();
    },
  };
}

async function run(drainer: Drainer, signal: AbortSignal, logger: LedgerDrainOptions['logger']): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let waitMs: number;
    try {
      waitMs = await drainer.step();
      if (failures > 0) logger.info('ledger available again');
      failures = 0;
    } catch (error) {
      if (failures === 0) logger.warn({ err: error }, 'ledger unavailable; entries wait in Redis');
      failures += 1;
      waitMs = Math.min(MIN_RETRY_MS * 2 ** Math.min(failures - 1, 10), MAX_RETRY_MS);
    }
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
  await drainer.end().catch(() => undefined);
}

class Drainer {
  readonly #options: LedgerDrainOptions;
  readonly #keys: LedgerKeys;
  readonly #lock: ReturnType<typeof drainLock>;
  readonly #now: () => number;
  #retentionAt = 0;

  constructor(options: LedgerDrainOptions) {
    this.#options = options;
    this.#keys = ledgerKeys(options.prefix);
    this.#lock = drainLock(options.redis, this.#keys.drainer, randomUUID(), LOCK_MS);
    this.#now = options.now ?? Date.now;
  }

  /** Stores one batch. Returns the time until the next step. */
  async step(): Promise<number> {
    if (!(await this.#lock.hold())) return LOCK_RETRY_MS;
    const messages = await this.#options.redis.xrange(this.#keys.stream, '-', '+', 'COUNT', BATCH);
    if (messages.length > 0) await this.#storeBatch(messages);
    const isMore = messages.length === BATCH;
    // Only after a batch was deleted from the stream: otherwise, it could be stored again after its entries were
    // deleted from the store, and then be counted twice.
    const hasDeleted = await this.#deleteOld();
    return isMore || hasDeleted ? 0 : POLL_MS;
  }

  async end(): Promise<void> {
    await this.#lock.release();
  }

  async #storeBatch(messages: readonly [id: string, fields: string[]][]): Promise<void> {
    const { redis, store, logger } = this.#options;
    const entries: LedgerEntry[] = [];
    for (const [id, [field, json = '']] of messages) {
      const entry = field === 'entry' ? parseEntry(json) : undefined;
      if (entry) entries.push(entry);
      else logger.error({ stream_id: id }, 'ledger entry is unreadable; it is deleted');
    }
    await store.add(entries);
    const transaction = redis.multi().xdel(this.#keys.stream, ...messages.map(([id]) => id));
    transaction.hincrby(this.#keys.drained, 'stored', entries.length);
    transaction.hincrby(this.#keys.drained, 'unreadable', messages.length - entries.length);
    if (entries.length > 0) {
      const counts = JSON.stringify(countByKey(entries));
      transaction.xadd(this.#keys.stored, 'MAXLEN', '~', MAX_STORED_MESSAGES, '*', 'keys', counts);
    }
    const results = await transaction.exec();
    const [failure] = results?.flatMap(([error]) => error ?? []) ?? [];
    if (failure) throw failure;
  }

  /** Deletes some old entries and rollups if it is time to. Returns whether there may be more. */
  async #deleteOld(): Promise<boolean> {
    const now = this.#now();
    if (now < this.#retentionAt) return false;
    const { store, retention } = this.#options;
    const deleted = await store.deleteBefore({
      entries: now - retention.entriesMs,
      rollups: now - retention.rollupsMs,
    });
    if (deleted === 0) this.#retentionAt = now + RETENTION_INTERVAL_MS;
    return deleted > 0;
  }
}

function countByKey(entries: readonly LedgerEntry[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of entries) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
}
