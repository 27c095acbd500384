import { contentSettings, gatewaySecret, ledgerSettings, redisSettings, upstreamSettings } from '@sluice/config';
import { openLedgerStore } from '@sluice/ledger';
import { listenError, releaseStartMemory, type StopSignal } from '@sluice/lifecycle';
import { signInToRedis } from '@sluice/redis';
import { type LoadedSource, Reloader } from '@sluice/reload';
import { openContentStore, startStorageMonitor } from '@sluice/content';
import { createTaskEngine } from '@sluice/tasks';
import { createMetrics, loadTracing, type Logger, processLinesLevel } from '@sluice/telemetry';
import { buildUpstreams, openUpstreamConnections } from '@sluice/upstreams';
import type { FastifyInstance } from 'fastify';
import { configApplier } from './apply-config.ts';
import { buildApi } from './build-api.ts';
import type { ProcessGroup } from './processes/process-group.ts';
import { engineSettings } from './server/engine-settings.ts';
import { firstConnection, openTextRedis } from './server/open-redis.ts';

export interface ServeOptions {
  loaded: LoadedSource;
  env: NodeJS.ProcessEnv;
  logger: Logger;
  version: string;
  stop: StopSignal;
  /** The processes that share the port, if this is not the only one. */
  group: ProcessGroup | undefined;
}

const RELEASE_DELAY_MS = 1_000;

/** Serves the API until a stop request, and then ends the process. @returns the URL */
export async function serveApi({ loaded, env, logger, version, stop, group }: ServeOptions): Promise<string> {
  const { config } = loaded;
  const contentLocation = contentSettings(config);
  const content = await openContentStore(contentLocation);
  const storage = await startStorageMonitor({ store: content, settings: contentLocation, logger });
  const settings = await signInToRedis(redisSettings(config, env), logger);
  const engine = await createTaskEngine({
    redis: settings,
    prefix: config.redis.prefix,
    ...engineSettings(config),
    commandTimeoutMs: config.timeouts.redis_ms,
    logger,
  });
  const connections = openUpstreamConnections();
  const upstreams = buildUpstreams({ ...upstreamSettings(config), logger, connections });
  const redis = openTextRedis({
    settings,
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
  const secret = await gatewaySecret({ configured: config.server.secret, dataDir: config.dataDir });
  const metrics = createMetrics({ processMetrics: true });
  const reloader = new Reloader({ kind: 'api', loaded, env, cwd: process.cwd(), secret, redis, metrics, logger });
  const api = await buildApi({
    config,
    reloader,
    engine,
    content,
    storage,
    upstreams,
    redis,
    secret,
    logger,
    metrics,
    tracing,
    version,
    ledgerStore,
    stopping: stop.signal,
    group,
  });

  const { app } = api;
  const { host, port } = config.server;
  const url = await app.listen({ host, port }).catch((error: unknown) => {
    throw listenError(error, { host, port });
  });
  const level = processLinesLevel(env);
  logger[level]({ url }, 'api listening');

  reloader.start(configApplier({ api, engine, connections, tracing, logger }));
  process.on('SIGHUP', () => void reloader.reload('signal'));
  stop.started();
  // It would delay the first response by about 0.1 s.
  setTimeout(releaseStartMemory, RELEASE_DELAY_MS).unref();
  stop.signal.addEventListener('abort', () => {
    logger[level]('api stopping; waiting for requests in flight');
    abortLater(app, config.timeouts.shutdown_ms, logger);
    void Promise.all([app.close(), reloader.close()])
      .then(() => Promise.all([engine.close(), upstreams.close(), connections.close(), ledgerStore?.close()]))
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

/** After the grace period, open requests are aborted. Clients can retry them, and no task is lost. */
function abortLater(app: FastifyInstance, graceMs: number, logger: Logger): void {
  setTimeout(() => {
    const requests = app.abortRequests();
    if (requests > 0) logger.warn({ requests }, 'api stopping; slow requests aborted');
  }, graceMs).unref();
}
