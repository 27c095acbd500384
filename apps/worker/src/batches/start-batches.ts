import { type BatchWorker, startBatchWorker } from '@sluice/batches';
import { batchSettings, type Config, fileSettings, type ModelCatalog, modelCatalog } from '@sluice/config';
import type { ContentStore } from '@sluice/content';
import { createFileStore } from '@sluice/files';
import { MAX_STREAM_ENTRIES } from '@sluice/ledger';
import { createLimiter } from '@sluice/limits';
import { openRedisConnection, type RedisSettings } from '@sluice/redis';
import type { Logger, WorkerMetrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { LazyInternalApi } from '../stored-requests/lazy-internal-api.ts';
import { serveLines, vendorBatches, type VendorVersion } from './vendor-batches.ts';

export interface StartBatchesOptions {
  config: Config;
  settings: RedisSettings;
  content: ContentStore;
  /** The vendor accounts of the configuration. */
  accounts: Upstreams['accounts'];
  api: Pick<LazyInternalApi, 'start' | 'serve'>;
  metrics: Pick<WorkerMetrics, 'batchLines' | 'observeBatchSlots'> | undefined;
  logger: Logger;
}

export interface StartedBatches {
  /** Applies the models and the accounts of a reloaded configuration. */
  update(config: Config, accounts: Upstreams['accounts']): void;
  /** Starts no further lines, and lets those in flight end within `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Time until a job that failed is repeated. */
const RETRY_MS = 10_000;
/** Minimum interval between polls of a vendor's batch, in intervals between checks for jobs. */
const VENDOR_POLLS = 10;

/** Starts to run batches. They are in the home Redis, whichever shards have the tasks. */
export function startBatches(options: StartBatchesOptions): StartedBatches {
  const { config, settings, content, api, metrics, logger } = options;
  const { prefix } = config.redis;
  const redis = openRedisConnection({ redis: settings, role: 'worker', logger });
  const { max_in_flight: maxInFlight, lease_ms: leaseMs, poll_ms: pollMs } = config.batches;
  const limiter = createLimiter(redis, { prefix, maxLedgerEntries: MAX_STREAM_ENTRIES });
  let version = versionOf(config, options.accounts);
  const worker: BatchWorker = startBatchWorker({
    redis,
    prefix,
    files: createFileStore({ redis, prefix, content, settings: fileSettings(config) }),
    settings: {
      ...batchSettings(config),
      maxInFlight,
      leaseMs,
      pollMs,
      retryMs: RETRY_MS,
      vendorPollMs: pollMs * VENDOR_POLLS,
      lookUpMs: config.tasks.submit_unknown_ms,
    },
    serve: serveLines(api, Date.now),
    vendors: vendorBatches(
      () => version,
      ({ admission, used, entry }, due) => limiter.charge(admission, used, entry, due),
    ),
    // Lines of a model that does not exist are refused by the API, so their group does not matter.
    upstreamOf: (model = '') => version.catalog.find(model)?.targets[0]?.upstream ?? '',
    observer: metrics && { lineEnded: (result) => metrics.batchLines.inc({ result }) },
    logger,
  });
  metrics?.observeBatchSlots(() => worker.usage(firstUpstreams(version.catalog)));
  return {
    update(next, accounts) {
      version = versionOf(next, accounts);
    },
    async close(graceMs) {
      await worker.close(graceMs);
      redis.disconnect();
    },
  };
}

function versionOf(config: Config, accounts: Upstreams['accounts']): VendorVersion {
  return { catalog: modelCatalog(config), upstreams: config.upstreams, accounts };
}

/** Returns the upstreams that serve a model first. */
function firstUpstreams(catalog: ModelCatalog): string[] {
  return [...new Set(catalog.list().flatMap(({ routes: [first] }) => first?.upstream ?? []))];
}
