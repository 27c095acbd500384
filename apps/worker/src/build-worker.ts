import { accountCaps, type Config, taskSettings, upstreamSettings } from '@sluice/config';
import { createTaskWorker, openContentStore, type TaskWorker, type WorkerAccount } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import { buildUpstreams } from '@sluice/upstreams';
import { startWebhooks } from './start-webhooks.ts';

export interface BuiltWorker {
  /** Names of the upstreams whose tasks it runs. */
  accounts: readonly string[];
  ready(): Promise<boolean>;
  /** Lets the steps in flight end within the configured time, then stops everything. */
  close(): Promise<void>;
}

/**
 * Composition root of the worker process.
 * @param redisUrl never `embedded`: the launcher has started that server by now
 */
export async function buildWorker(config: Config, redisUrl: string, logger: Logger): Promise<BuiltWorker> {
  const { timeouts } = config;
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
    content: await openContentStore({ dir: config.contentDir, s3: config.content.s3 }),
    fetchInput: upstreams.fetchInput,
    settings: taskSettings(config),
    logger,
  });
  const webhooks = await startWebhooks({ config, redisUrl, tasks: worker, logger });

  return {
    accounts: Object.keys(accounts),
    ready: () => worker.ready(),
    async close() {
      await Promise.all([worker.close(timeouts.shutdown_ms), webhooks.close(timeouts.shutdown_ms)]);
      await upstreams.close();
    },
  };
}
