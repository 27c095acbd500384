import {
  accountCaps,
  type Config,
  contentSettings,
  modelCatalog,
  taskSettings,
  upstreamSettings,
} from '@sluice/config';
import { MAX_STREAM_ENTRIES } from '@sluice/ledger';
import {
  createTaskWorker,
  openContentStore,
  startStorageMonitor,
  type TaskWorker,
  type WorkerAccount,
} from '@sluice/tasks';
import type { Logger, Tracing, WorkerMetrics } from '@sluice/telemetry';
import { buildUpstreams } from '@sluice/upstreams';
import { observeTasks } from './observe-tasks.ts';
import { startLedger } from './start-ledger.ts';
import { startWebhooks } from './start-webhooks.ts';

export interface BuiltWorker {
  /** Names of the upstreams whose tasks this worker runs. */
  accounts: readonly string[];
  /** Whether it can work: Redis responds, and the content store is available. */
  ready(): Promise<boolean>;
  isRedisReady(): Promise<boolean>;
  /** Lets steps in flight finish within the configured time, then stops everything. */
  close(): Promise<void>;
}

/**
 * The composition root of the worker process.
 * @param redisUrl never `embedded`, because the launcher has replaced it with the server's URL
 * @param metrics if undefined, upstream calls and finished tasks are not counted
 * @param tracing if undefined, tasks have no spans
 */
export async function buildWorker(
  config: Config,
  redisUrl: string,
  logger: Logger,
  metrics?: WorkerMetrics,
  tracing?: Tracing,
): Promise<BuiltWorker> {
  const { timeouts } = config;
  const settings = contentSettings(config);
  const content = await openContentStore(settings);
  const storage = await startStorageMonitor({ store: content, settings, logger });
  const upstreams = buildUpstreams({ ...upstreamSettings(config), logger });
  const caps = accountCaps(config);
  const accounts: Record<string, WorkerAccount> = {};
  for (const [name, { video, image }] of upstreams.accounts) {
    const cap = caps[name];
    if (cap && (video || image)) accounts[name] = { ...cap, ...(video && { video }), ...(image && { image }) };
  }

  const worker: TaskWorker = await createTaskWorker({
    redisUrl,
    prefix: config.redis.prefix,
    accounts,
    content,
    fetchInput: upstreams.fetchInput,
    settings: { ...taskSettings(config), maxLedgerEntries: config.ledger.enabled ? MAX_STREAM_ENTRIES : undefined },
    ...(metrics && { observer: observeTasks(metrics, modelCatalog(config)) }),
    tracing,
    logger,
  });
  const webhooks = await startWebhooks({ config, redisUrl, tasks: worker, tracing, logger });
  const ledger = startLedger(config, redisUrl, logger);

  return {
    accounts: Object.keys(accounts),
    ready: async () => storage.isAvailable() && (await worker.ready()),
    isRedisReady: () => worker.ready(),
    async close() {
      storage.close();
      await Promise.all([worker, webhooks, ledger].map((part) => part.close(timeouts.shutdown_ms)));
      await upstreams.close();
    },
  };
}
