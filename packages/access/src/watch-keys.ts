import type { Logger } from '@sluice/telemetry';
import { type KeyRecord, statusOfKey } from './key-record.ts';
import type { KeyStore } from './key-store.ts';

/** What {@link watchKeys} works with. */
export interface WatchKeysOptions<Key> {
  store: Pick<KeyStore, 'listLive' | 'version'>;
  /** Makes of a record what a look-up is to give; throws for a key that cannot be served, which is then logged. */
  build: (record: KeyRecord) => Key;
  /** Told all keys that can be served whenever they were read anew. */
  onRead?: (keys: readonly Key[]) => void;
  /** Wait between two looks at the version, milliseconds. */
  pollMs: number;
  /** Unix milliseconds. */
  now: () => number;
  logger: Pick<Logger, 'error'>;
}

/** The stored keys, in this process' memory. */
export interface KnownKeys<Key> {
  /**
   * Finds a key that may be used now; no wait, no Redis.
   * @param hash what `hashSecret` gives of the secret
   */
  find: (hash: string) => Key | undefined;
  /** Whether the keys have ever been read: before that, one that is not found may be there all the same. */
  isRead(): boolean;
  /** Reads anew what has changed; a caller that has made a change sees it when this resolves. Never rejects. */
  refresh(): Promise<void>;
  close(): void;
}

interface KnownSecret<Key> {
  key: Key;
  /** Unix milliseconds, or Infinity. */
  endsAt: number;
}

/**
 * Holds all stored keys by hash, and reads them anew within about `pollMs` of any change, whoever makes it. What ends by
 * itself, a key or the grace of a former secret, ends by the clock. While Redis is away the last known keys stay; when it
 * comes back they are read anew, even under the same version: what came back may be older.
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
      logger.error({ err: error, key_id: record.id }, 'a stored key cannot be served');
      return [];
    }
    const { expiresAt = Infinity } = record;
    const secrets = [{ ...record.secret, endsAt: expiresAt }, ...record.formerSecrets];
    return secrets.map(({ hash, endsAt }) => [hash, { key, endsAt: Math.min(endsAt, expiresAt) }]);
  }

  async function look(): Promise<void> {
    if (closed) return;
    try {
      // The version first: a change between the two is then read twice, never missed.
      const version = await store.version();
      if (version === seen) return;
      const records = await store.listLive();
      known = new Map(records.flatMap((record) => secretsOf(record)));
      seen = version;
      isRead = true;
      onRead?.([...new Set(Array.from(known.values(), ({ key }) => key))]);
    } catch {
      seen = undefined; // the connection has told that Redis is away
    }
  }

  /** One look after the other, so that an older one never overwrites what a newer one has read. */
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
