import { type Config, ledgerSettings } from '@sluice/config';
import { openLedgerStore, startLedgerDrain } from '@sluice/ledger';
import { openRedisConnection } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';

export interface StartedLedger {
  /** Lets the batch in flight finish within `graceMs`, then stops. */
  close(graceMs: number): Promise<void>;
}

/** Starts to move ledger entries from Redis to the store. A store that is unavailable does not delay the start. */
export function startLedger(config: Config, redisUrl: string, logger: Logger): StartedLedger {
  if (!config.ledger.enabled) return { close: () => Promise.resolve() };
  const { store: location, retention } = ledgerSettings(config);
  const redis = openRedisConnection({ url: redisUrl, role: 'worker', logger });
  const store = openLedgerStore(location);
  const drain = startLedgerDrain({ redis, prefix: config.redis.prefix, store, retention, logger });
  return {
    async close(graceMs) {
      await drain.close(graceMs);
      redis.disconnect();
      await store.close();
    },
  };
}
