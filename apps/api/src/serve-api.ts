import {
  accountCaps,
  type Config,
  contentSettings,
  gatewaySecret,
  ledgerSettings,
  loadConfig,
  redisUrlOf,
  taskSettings,
  upstreamSettings,
} from '@sluice/config';
import { MAX_STREAM_ENTRIES, openLedgerStore } from '@sluice/ledger';
import { listenError, releaseStartMemory, type StopSignal } from '@sluice/lifecycle';
import { createTaskEngine, openContentStore, startStorageMonitor } from '@sluice/tasks';
import { createMetrics, loadTracing, type Logger, processLinesLevel } from '@sluice/telemetry';
import { buildUpstreams } from '@sluice/upstreams';
import { buildApi } from './build-api.ts';
import type { ProcessGroup } from './processes/process-group.ts';
import { firstConnection, openTextRedis } from './server/open-redis.ts';

export interface ServeOptions {
  config: Config;
  env: NodeJS.ProcessEnv;
  logger: Logger;
  version: string;
  stop: StopSignal;
  /** The processes that share the port, if this is not the only one. */
  group: ProcessGroup | undefined;
}

const RELEASE_DELAY_MS = 1_000;

/** Serves the API until a stop request, and then ends the process. @returns the URL */
export async function serveApi({ config, env, logger, version, stop, group }: ServeOptions): Promise<string> {
  const contentLocation = contentSettings(config);
  const content = await openContentStore(contentLocation);
  const storage = await startStorageMonitor({ store: content, settings: contentLocation, logger });
  const engine = await createTaskEngine({
    redisUrl: redisUrlOf(config, env),
    prefix: config.redis.prefix,
    accounts: accountCaps(config),
    settings: { ...taskSettings(config), maxLedgerEntries: config.ledger.enabled ? MAX_STREAM_ENTRIES : undefined },
    commandTimeoutMs: config.timeouts.redis_ms,
    logger,
  });
  const upstreams = buildUpstreams({ ...upstreamSettings(config), logger });
  const redis = openTextRedis({
    url: redisUrlOf(config, env),
    commandTimeoutMs: config.timeouts.redis_ms,
    logger,
  });
  await firstConnection(redis, config.timeouts.redis_ms);
  const tracing = await loadTracing({
    env,
    service: 'sluice-api',
    version,
    upstreams: config.upstreams,
    logger,
  });
  const ledgerStore = config.ledger.enabled ? openLedgerStore(ledgerSettings(config).store) : undefined;
  const app = await buildApi({
    config,
    readConfig: () => loadConfig({ env, cwd: process.cwd() }),
    engine,
    content,
    storage,
    upstreams,
    redis,
    secret: await gatewaySecret({ configured: config.server.secret, dataDir: config.dataDir }),
    logger,
    metrics: createMetrics({ processMetrics: true }),
    tracing,
    version,
    ledgerStore,
    stopping: stop.signal,
    group,
  });

  const { host, port } = config.server;
  const url = await app.listen({ host, port }).catch((error: unknown) => {
    throw listenError(error, { host, port });
  });
  const level = processLinesLevel(env);
  logger[level]({ url }, 'api listening');

  stop.started();
  // It would delay the first response by about 0.1 s.
  setTimeout(releaseStartMemory, RELEASE_DELAY_MS).unref();
  stop.signal.addEventListener('abort', () => {
    logger[level]('api stopping; waiting for requests in flight');
    // After the grace period, open requests are aborted. Clients can retry them, and no task is lost.
    setTimeout(() => {
      const requests = app.abortRequests();
      if (requests > 0) logger.warn({ requests }, 'api stopping; slow requests aborted');
    }, config.timeouts.shutdown_ms).unref();
    void app
      .close()
      .then(() => Promise.all([engine.close(), upstreams.close(), ledgerStore?.close()]))
      .then(() => tracing?.close())
      .then(() => redis.disconnect())
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        logger.fatal({ err: error }, 'api did not stop cleanly');
        process.exit(1);
      });
  });
  return url;
}
