import { createKeyStore, type KeyStore, type KeyCache, type RandomBytes, watchKeys } from '@sluice/access';
import { GatewayError, unavailableMessage } from '@sluice/canonical';
import { type Config, type KeyConfig, KeySettingsSchema } from '@sluice/config';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { validateInput } from '../http/validate-input.ts';
import { type ApiKey, apiKeyOf } from './api-keys.ts';

export interface StoredApiKeysOptions {
  config: Pick<Config, 'keys' | 'redis'>;
  /** Redis may be unreachable. */
  redis: Redis;
  logger: Logger;
  now: () => number;
  randomBytes: RandomBytes;
  /** Called after each read with all usable stored keys. */
  onRead: (keys: readonly ApiKey[]) => void;
}

export interface StoredApiKeys {
  store: KeyStore;
  known: Pick<KeyCache<ApiKey>, 'refresh' | 'close'>;
  /** @throws GatewayError `store_unavailable` for an unknown key if the stored keys have never been read */
  find: (hash: string) => ApiKey | undefined;
  /** @throws GatewayError `store_unavailable` as `find` does */
  findByName: (name: string) => ApiKey | undefined;
  /** Replaces the keys of the configuration, whose names stored keys cannot have. */
  setConfigured: (keys: readonly KeyConfig[]) => void;
}

/** Poll interval. Every process applies a change within this time plus one round trip. A poll costs one command. */
const POLL_MS = 300;

/** Opens the store of API keys and reads it once. If Redis is unreachable, no stored key is known yet. */
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
  const reported = new Set<string>();
  /** Repeated after each read because Redis may have been unreachable or restored from an older backup. */
  async function reserveNames(): Promise<void> {
    for (const name of await store.reserve([...configured])) {
      if (reported.has(name)) continue;
      reported.add(name);
      logger.error({ client: name }, 'configured key has the name of a stored key and sees its tasks; rename it');
    }
  }
  const known = watchKeys({
    store,
    build: ({ name, settings }) => {
      if (configured.has(name)) throw new Error(`a configured key has the same name: ${name}`);
      return apiKeyOf({ name, ...KeySettingsSchema.parse(settings) });
    },
    onRead: (keys) => {
      onRead(keys);
      // The next change retries. The connection has already logged the failure.
      reserveNames().catch(() => undefined);
    },
    pollMs: POLL_MS,
    now,
    logger,
  });
  await known.refresh();
  const orUnavailable = (key: ApiKey | undefined): ApiKey | undefined => {
    if (key || known.isRead()) return key;
    throw new GatewayError('store_unavailable', unavailableMessage('key store'), { retryAfterMs: 1_000 });
  };
  return {
    store,
    known,
    setConfigured(keys) {
      configured.clear();
      for (const { name } of keys) configured.add(name);
      void known.rebuild();
    },
    find: (hash) => orUnavailable(known.find(hash)),
    findByName: (name) => orUnavailable(known.findWhere((key) => key.name === name)),
  };
}
