import { createKeyStore, type KeyStore, type KnownKeys, type RandomBytes, watchKeys } from '@sluice/access';
import { GatewayError } from '@sluice/canonical';
import { type Config, KeySettingsSchema } from '@sluice/config';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { validateInput } from '../http/validate-input.ts';
import { type ApiKey, apiKeyOf } from './api-keys.ts';

/** What {@link openStoredApiKeys} works with. */
export interface StoredApiKeysOptions {
  config: Pick<Config, 'keys' | 'redis'>;
  /** It may be away. */
  redis: Redis;
  logger: Logger;
  /** Unix milliseconds. */
  now: () => number;
  randomBytes: RandomBytes;
  /** Told all stored keys that can be served whenever they were read anew. */
  onRead: (keys: readonly ApiKey[]) => void;
}

/** The keys that are made at run time, as this process has them. */
export interface StoredApiKeys {
  store: KeyStore;
  known: Pick<KnownKeys<ApiKey>, 'refresh' | 'close'>;
  /**
   * Finds a key by what `hashSecret` gives of its secret.
   * @throws GatewayError `store_unavailable` for one that is not known as long as none could be read
   */
  find: (hash: string) => ApiKey | undefined;
}

/** Every process knows of a change within this time and a round trip; it costs as many commands a second as fit in it. */
const POLL_MS = 300;

/** Opens the stored keys and reads them for the first time; while Redis is away none is known, until it is back. */
export async function openStoredApiKeys(parts: StoredApiKeysOptions): Promise<StoredApiKeys> {
  const { config, redis, logger, now, randomBytes, onRead } = parts;
  const configured = new Set(config.keys.map(({ name }) => name));
  const store = createKeyStore({
    redis,
    prefix: config.redis.prefix,
    parseSettings: (settings) => validateInput(KeySettingsSchema, settings, 'body'),
    takenNames: configured,
    now,
    randomBytes,
    logger,
  });
  const told = new Set<string>();
  /** Whenever keys are read: Redis may have been away, or have come back older. */
  async function reserveNames(): Promise<void> {
    for (const name of await store.reserve([...configured])) {
      if (told.has(name)) continue;
      told.add(name);
      logger.error({ client: name }, 'a configured key has the name of a stored one and sees its tasks: rename it');
    }
  }
  const known = watchKeys({
    store,
    build: ({ name, settings }) => {
      // Two keys of one name would see each other's tasks.
      if (configured.has(name)) throw new Error(`the configuration has a key of the same name, ${name}`);
      return apiKeyOf({ name, ...KeySettingsSchema.parse(settings) });
    },
    onRead: (keys) => {
      onRead(keys);
      // What fails is done with the next change; the connection has told that Redis is away.
      reserveNames().catch(() => undefined);
    },
    pollMs: POLL_MS,
    now,
    logger,
  });
  await known.refresh();
  return {
    store,
    known,
    find(hash) {
      const key = known.find(hash);
      if (key || known.isRead()) return key;
      const what = 'The API key cannot be checked at the moment. Try again shortly.';
      throw new GatewayError('store_unavailable', what, { retryAfterMs: 1_000 });
    },
  };
}
