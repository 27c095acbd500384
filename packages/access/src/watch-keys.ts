import type { Logger } from '@sluice/telemetry';
import { type KeyRecord, statusOfKey } from './key-record.ts';
import type { KeyStore } from './key-store.ts';

export interface WatchKeysOptions<Key> {
  store: Pick<KeyStore, 'listLive' | 'version'>;
  /** Builds the result of a lookup; throws for a key that cannot be served, which is then logged. */
  build: (record: KeyRecord) => Key;
  /** Called with all keys that can be served after every read. */
  onRead?: (keys: readonly Key[]) => void;
  /** Interval between two reads of the version, milliseconds. */
  pollMs: number;
  now: () => number;
  logger: Pick<Logger, 'error'>;
}

/** The stored keys in this process' memory. */
export interface KnownKeys<Key> {
  /**
   * Finds a key that is valid now, without waiting and without Redis.
   * @param hash result of `hashSecret`
   */
  find: (hash: string) => Key | undefined;
  /** Whether the keys have been read. Before that, a key that is not found may exist. */
  isRead(): boolean;
  /** Reads changes. A caller that has made a change sees it when this resolves. Never rejects. */
  refresh(): Promise<void>;
  close(): void;
}

interface KnownSecret<Key> {
  key: Key;
  /** Unix milliseconds, or Infinity. */
  endsAt: number;
}

/**
 * Keeps all stored keys in memory by hash, and reads them again within about `pollMs` of any change. Expiries and grace
 * periods end by the clock. While Redis is away, the last known keys stay valid. When Redis is back, the keys are read
 * again even under the same version, because a restored Redis may have older data.
 */
export function watchKeys<Key>({ store, build, onRead, pollMs, now, logger }: WatchKeysOptions<Key>): KnownKeys<Key> {
  let known: ReadonlyMap<string, KnownSecret<Key>> = new Map();
  let seen: string | undefined;
  let isRead = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();

  function secretsOf(record: KeyRecord): [string, KnownSecret<Key>][] {
    if (statusOfKey(record, now()) !== 'active') return [];
    let key: Key;
    try {
      key = build(record);
    } catch (error) {
      logger.error({ err: error, key_id: record.id }, 'stored key cannot be served');
      return [];
    }
    const { expiresAt = Infinity } = record;
    const secrets = [{ ...record.secret, endsAt: expiresAt }, ...record.formerSecrets];
    return secrets.map(({ hash, endsAt }) => [hash, { key, endsAt: Math.min(endsAt, expiresAt) }]);
  }

  async function look(): Promise<void> {
    if (closed) return;
    try {
      // The version first: a change in between is then read twice, never missed.
      const version = await store.version();
      if (version === seen) return;
      const records = await store.listLive();
      known = new Map(records.flatMap((record) => secretsOf(record)));
      seen = version;
      isRead = true;
      onRead?.([...new Set(Array.from(known.values(), ({ key }) => key))]);
    } catch {
      seen = undefined; // the connection logs that Redis is away
    }
  }

  /** Runs reads one after the other, so that an older read never overwrites a newer one. */
  function refresh(): Promise<void> {
    last = last.then(look);
    return last;
  }

  function schedule(): void {
    if (closed) return;
    timer = setTimeout(() => void refresh().then(schedule), pollMs).unref();
  }
  schedule();

  return {
    find(hash) {
      const found = known.get(hash);
      return found && now() < found.endsAt ? found.key : undefined;
    },
    isRead: () => isRead,
    refresh,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
