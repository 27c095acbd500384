import type { Logger } from '@sluice/telemetry';
import { type KeyRecord, statusOfKey } from './key-record.ts';
import type { KeyStore } from './key-store.ts';

export interface WatchKeysOptions<Key> {
  store: Pick<KeyStore, 'listLive' | 'version'>;
  /** Builds the key that a lookup returns. If it throws, the key is unusable and is logged. */
  build: (record: KeyRecord) => Key;
  /** Called after every read. */
  onRead?: (keys: readonly Key[]) => void;
  /** Interval between two reads of the version, in milliseconds. */
  pollMs: number;
  now: () => number;
  logger: Pick<Logger, 'error'>;
}

/** A cache of the stored keys in memory. */
export interface KeyCache<Key> {
  /** Finds a valid key in memory, without a Redis command. @param hash result of `hashSecret` */
  find: (hash: string) => Key | undefined;
  /** Finds the first valid key that `test` accepts. Reads all keys in memory. */
  findWhere: (test: (key: Key) => boolean) => Key | undefined;
  /** Whether the keys have been read. Before the first read, a key that is not found may still exist. */
  isRead(): boolean;
  /** Reads all changes, including those that the caller has just made. Never rejects. */
  refresh(): Promise<void>;
  /** Builds all keys again, because `build` depends on something that has changed. Never rejects. */
  rebuild(): Promise<void>;
  close(): void;
}

interface CachedSecret<Key> {
  key: Key;
  /** Unix milliseconds, or Infinity if it never expires. */
  endsAt: number;
}

/**
 * Caches all stored keys by hash and reads them again within about `pollMs` of any change. Expiries and grace periods
 * are checked on each lookup. While Redis is down, the cached keys stay valid. When Redis is available again, the keys
 * are always read, because a restored Redis may have older data under the same version.
 */
export function watchKeys<Key>({ store, build, onRead, pollMs, now, logger }: WatchKeysOptions<Key>): KeyCache<Key> {
  let cached: ReadonlyMap<string, CachedSecret<Key>> = new Map();
  let readVersion: string | undefined;
  let isRead = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();

  function secretsOf(record: KeyRecord): [string, CachedSecret<Key>][] {
    if (statusOfKey(record, now()) !== 'active') return [];
    let key: Key;
    try {
      key = build(record);
    } catch (error) {
      logger.error({ err: error, key_id: record.id }, 'stored key could not be served');
      return [];
    }
    const { expiresAt = Infinity } = record;
    const secrets = [{ ...record.secret, endsAt: expiresAt }, ...record.formerSecrets];
    return secrets.map(({ hash, endsAt }) => [hash, { key, endsAt: Math.min(endsAt, expiresAt) }]);
  }

  async function readChanges(): Promise<void> {
    if (closed) return;
    try {
      // The version is read first. A change between the two reads is then read twice instead of being missed.
      const version = await store.version();
      if (version === readVersion) return;
      const records = await store.listLive();
      cached = new Map(records.flatMap((record) => secretsOf(record)));
      readVersion = version;
      isRead = true;
      onRead?.([...new Set(Array.from(cached.values(), ({ key }) => key))]);
    } catch {
      readVersion = undefined; // The connection has already logged the outage.
    }
  }

  /** Runs reads one after the other, so that an older read never overwrites a newer one. */
  function refresh(): Promise<void> {
    last = last.then(readChanges);
    return last;
  }

  function schedule(): void {
    if (closed) return;
    timer = setTimeout(() => void refresh().then(schedule), pollMs).unref();
  }
  schedule();

  const isValid = ({ endsAt }: CachedSecret<Key>): boolean => now() < endsAt;

  return {
    find(hash) {
      const secret = cached.get(hash);
      return secret && isValid(secret) ? secret.key : undefined;
    },
    findWhere(test) {
      for (const secret of cached.values()) if (isValid(secret) && test(secret.key)) return secret.key;
      return undefined;
    },
    isRead: () => isRead,
    refresh,
    rebuild() {
      last = last.then(() => void (readVersion = undefined)).then(readChanges);
      return last;
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
