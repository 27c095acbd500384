import {
  accountCaps,
  type Config,
  contentSettings,
  modelCatalog,
  secretsOf,
  servedShards,
  taskSettings,
  upstreamSettings,
} from '@sluice/config';
import { MAX_STREAM_ENTRIES } from '@sluice/ledger';
import type { RedisSettings } from '@sluice/redis';
import type { ApplyConfig } from '@sluice/reload';
import { openContentStore, startStorageMonitor } from '@sluice/content';
import { createTaskWorker, type TaskWorker, type TaskWorkerUpdate, type WorkerAccount } from '@sluice/tasks';
import { type Logger, maskSecrets, type Tracing, type WorkerMetrics } from '@sluice/telemetry';
import { buildUpstreams, openUpstreamConnections, type UpstreamConnections, type Upstreams } from '@sluice/upstreams';
import { startBatches } from './batches/start-batches.ts';
import { observeTasks } from './observe-tasks.ts';
import { startBackground } from './background/start-background.ts';
import { startGroups } from './groups/start-groups.ts';
import { startFiles } from './start-files.ts';
import { startLedger } from './start-ledger.ts';
import { startWebhooks } from './start-webhooks.ts';
import { lazyInternalApi } from './stored-requests/lazy-internal-api.ts';

export interface BuiltWorker {
  /** Names of the upstreams whose tasks this worker runs. */
  accounts: readonly string[];
  /** Whether it can work: Redis responds, and the content store is available. */
  ready(): Promise<boolean>;
  isRedisReady(): Promise<boolean>;
  /** Swaps the configuration between two steps. Submitted tasks keep the account that submitted them. */
  apply: ApplyConfig;
  /** Lets steps in flight finish within the configured time, then stops everything. */
  close(): Promise<void>;
}

/**
 * The composition root of the worker process.
 * @param secret derives the tokens of stored requests, as in the API
 * @param metrics if undefined, upstream calls and finished tasks are not counted
 * @param tracing if undefined, tasks have no spans
 */
export async function buildWorker(
  config: Config,
  redis: RedisSettings,
  logger: Logger,
  secret: string,
  metrics?: WorkerMetrics,
  tracing?: Tracing,
): Promise<BuiltWorker> {
  const { timeouts } = config;
  const settings = contentSettings(config);
  const content = await openContentStore(settings);
  const storage = await startStorageMonitor({ store: content, settings, logger });
  const connections = openUpstreamConnections();
  const parts = { connections, metrics, logger };
  const { accounts: vendorAccounts, update: built } = buildParts(config, parts);
  const worker: TaskWorker = await createTaskWorker({
    redis,
    shards: servedShards(config, process.env),
    prefix: config.redis.prefix,
    ...built,
    content,
    tracing,
    logger,
  });
  const webhooks = await startWebhooks({ config, settings: redis, tasks: worker, tracing, logger });
  const ledger = startLedger(config, redis, logger);
  const files = startFiles({ config, settings: redis, content, connections, logger });
  const internalApi = lazyInternalApi({ config, redis, content, connections, secret, logger, metrics, tracing });
  const batches = startBatches({
    config,
    settings: redis,
    content,
    accounts: vendorAccounts,
    api: internalApi,
    metrics,
    logger,
  });
  const groups = startGroups({ config, settings: redis, api: internalApi, tasks: worker, logger });
  const background = startBackground({ config, settings: redis, serve: internalApi.serve, logger });

  return {
    accounts: Object.keys(built.accounts),
    ready: async () => storage.isAvailable() && (await worker.ready()),
    isRedisReady: () => worker.ready(),
    async apply({ applicable, upstreams: changed }) {
      maskSecrets(logger, secretsOf(applicable));
      const next = buildParts(applicable, parts);
      await internalApi.apply(applicable, changed);
      worker.update(next.update);
      webhooks.update(applicable);
      batches.update(applicable, next.accounts);
      background.update(applicable);
      files.update(applicable);
      tracing?.setUpstreams(applicable.upstreams);
      connections.keepOnly(upstreamSettings(applicable).upstreams);
      logger.level = applicable.log.level;
    },
    async close() {
      storage.close();
      const graceMs = timeouts.shutdown_ms;
      // Stored requests in flight need the API until they end.
      const stored = Promise.all([batches, background, groups].map((part) => part.close(graceMs))).then(() =>
        internalApi.close(graceMs),
      );
      await Promise.all([stored, ...[worker, webhooks, ledger, files].map((part) => part.close(graceMs))]);
      await connections.close();
    },
  };
}

interface Parts {
  connections: UpstreamConnections;
  metrics: WorkerMetrics | undefined;
  logger: Logger;
}

interface ReplacedParts {
  accounts: Upstreams['accounts'];
  update: TaskWorkerUpdate;
}

/** Builds the parts that a reload of the configuration replaces. */
function buildParts(config: Config, { connections, metrics, logger }: Parts): ReplacedParts {
  const upstreams = buildUpstreams({ ...upstreamSettings(config), logger, connections });
  const caps = accountCaps(config);
  const accounts: Record<string, WorkerAccount> = {};
  for (const [name, { video, image }] of upstreams.accounts) {
    const cap = caps[name];
    if (cap && (video || image)) accounts[name] = { ...cap, ...(video && { video }), ...(image && { image }) };
  }
  const update: TaskWorkerUpdate = {
    accounts,
    fetchInput: upstreams.fetchInput,
    settings: { ...taskSettings(config), maxLedgerEntries: config.ledger.enabled ? MAX_STREAM_ENTRIES : undefined },
    ...(metrics && { observer: observeTasks(metrics, modelCatalog(config)) }),
  };
  return { accounts: upstreams.accounts, update };
}
