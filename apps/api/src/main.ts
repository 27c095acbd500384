import { readFileSync } from 'node:fs';
import {
  accountCaps,
  contentSettings,
  gatewaySecret,
  loadConfig,
  redisUrlOf,
  secretsOf,
  taskSettings,
  unpricedModels,
  upstreamSettings,
} from '@sluice/config';
import { listenError, releaseStartMemory, stopSignal } from '@sluice/lifecycle';
import { createTaskEngine, openContentStore, startStorageMonitor } from '@sluice/tasks';
import { createLogger, createMetrics, processLinesLevel } from '@sluice/telemetry';
import { buildUpstreams } from '@sluice/upstreams';
import { buildApi } from './build-api.ts';
import { firstConnection, openTextRedis } from './server/open-redis.ts';

async function main(): Promise<void> {
  const stop = stopSignal(process);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const logger = createLogger({ level: config.log.level, name: 'api', secrets: secretsOf(config) });
  for (const { key, models } of unpricedModels(config)) {
    logger.warn({ key, models }, 'models without a price: their cost is not charged, and budgets do not limit them');
  }
  const contentLocation = contentSettings(config);
  const content = await openContentStore(contentLocation);
  const storage = await startStorageMonitor({ store: content, settings: contentLocation, logger });
  const engine = await createTaskEngine({
    redisUrl: redisUrlOf(config, process.env),
    prefix: config.redis.prefix,
    accounts: accountCaps(config),
    settings: taskSettings(config),
    commandTimeoutMs: config.timeouts.redis_ms,
    logger,
  });
  const upstreams = buildUpstreams({ ...upstreamSettings(config), logger });
  const redis = openTextRedis({
    url: redisUrlOf(config, process.env),
    commandTimeoutMs: config.timeouts.redis_ms,
    logger,
  });
  await firstConnection(redis, config.timeouts.redis_ms);
  const app = await buildApi({
    config,
    engine,
    content,
    storage,
    upstreams,
    redis,
    secret: await gatewaySecret({ configured: config.server.secret, dataDir: config.dataDir }),
    logger,
    metrics: createMetrics({ processMetrics: true }),
    version: packageVersion(),
    stopping: stop.signal,
  });

  releaseStartMemory();
  const { host, port } = config.server;
  const url = await app.listen({ host, port }).catch((error: unknown) => {
    throw listenError(error, { host, port });
  });
  const level = processLinesLevel(process.env);
  logger[level]({ url }, 'api listening');

  stop.started();
  stop.signal.addEventListener('abort', () => {
    logger[level]('api stopping; waiting for requests in flight');
    // After the grace period, open requests are aborted. Clients can retry them, and no task is lost.
    setTimeout(() => {
      const requests = app.abortRequests();
      if (requests > 0) logger.warn({ requests }, 'api stopping; slow requests aborted');
    }, config.timeouts.shutdown_ms).unref();
    void app
      .close()
      .then(() => Promise.all([engine.close(), upstreams.close()]))
      .then(() => redis.disconnect())
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        logger.fatal({ err: error }, 'api did not stop cleanly');
        process.exit(1);
      });
  });
  process.send?.({ type: 'ready', url });
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string; // The cast is safe because this is the package's own package.json.
  };
  return version;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
