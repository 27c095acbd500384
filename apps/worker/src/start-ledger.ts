import { type Config, ledgerSettings } from '@sluice/config';
import { openLedgerStore, startLedgerDrain } from '@sluice/ledger';
import { openRedisConnection, prefixOf, type RedisSettings } from '@sluice/redis';
import type { Logger } from '@sluice/telemetry';

export interface StartedLedger {
  /** Lets the batch in flight finish within `graceMs`, then stops. */
  close(graceMs: number): Promise<void>;
}

/** Starts to move ledger entries from Redis to the store. A store that is unavailable does not delay the start. */
export function startLedger(config: Config, settings: RedisSettings, logger: Logger): StartedLedger {
  if (!config.ledger.enabled) return { close: () => Promise.resolve() };
  const { store: location, retention } = ledgerSettings(config);
  const store = openLedgerStore(location);
  // Each Redis has a stream with the entries of its tasks.
  const drains = [settings, ...(settings.shards ?? [])].map((server) => {
    const redis = openRedisConnection({ redis: server, role: 'worker', logger });
    return {
      redis,
      drain: startLedgerDrain({ redis, prefix: prefixOf(server, config.redis.prefix), store, retention, logger }),
    };
  });
  return {
    async close(graceMs) {
      await Promise.all(drains.map(({ drain }) => drain.close(graceMs)));
      for (const { redis } of drains) redis.disconnect();
      await store.close();
    },
  };
}
