import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewaySecret, redisSettings, secretsOf } from '@sluice/config';
import { stopSignal } from '@sluice/lifecycle';
import { loadAtStart, Reloader } from '@sluice/reload';
import { openRedisConnection, signInToRedis } from '@sluice/redis';
import { createLogger, createWorkerMetrics, loadTracing, processLinesLevel } from '@sluice/telemetry';
import { buildWorker } from './build-worker.ts';
import { startHealth } from './health.ts';

async function main(): Promise<void> {
  const stop = stopSignal(process);
  const { env } = process;
  const cwd = process.cwd();
  const warnings: string[] = [];
  const loaded = await loadAtStart({ env, cwd }, (message) => warnings.push(message));
  const { config } = loaded;
  const logger = createLogger({ level: config.log.level, name: 'worker', secrets: secretsOf(config) });
  for (const message of warnings) logger.warn(message);
  const port = env['SLUICE_WORKER_HEALTH_PORT'];
  // Without a port, no client could read the metrics.
  const metrics = port ? createWorkerMetrics({ processMetrics: true }) : undefined;
  const tracing = await loadTracing({
    env,
    service: 'sluice-worker',
    version: packageVersion(),
    upstreams: config.upstreams,
    logger,
  });
  const settings = await signInToRedis(redisSettings(config, env), logger);
  const secret = await gatewaySecret({ configured: config.server.secret, dataDir: config.dataDir });
  const worker = await buildWorker(config, settings, logger, secret, metrics, tracing);
  const redis = openRedisConnection({ redis: settings, role: 'api', logger });
  const reloader = new Reloader({ kind: 'worker', loaded, env, cwd, secret, redis, metrics, logger });
  logger[processLinesLevel(env)]({ accounts: worker.accounts }, 'worker ready');
  const health = await startHealth(port, { ready: () => worker.ready(), metrics });

  reloader.start(worker.apply);
  process.on('SIGHUP', () => void reloader.reload('signal'));
  stop.started();
  stop.signal.addEventListener('abort', () => {
    logger[processLinesLevel(env)]('worker stopping; waiting for steps in flight');
    void Promise.all([worker.close(), reloader.close()])
      .then(() => redis.disconnect())
      .then(() => tracing?.close())
      .then(() => health.close())
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        logger.fatal({ err: error }, 'worker did not stop cleanly');
        process.exit(1);
      });
  });
  stop.orphaned.addEventListener('abort', () => void exitWithoutRedis(() => worker.isRedisReady()));
  process.send?.({ type: 'ready' });
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string; // The cast is safe because this is the package's own package.json.
  };
  return version;
}

const REDIS_POLL_MS = 100;

/**
 * The launcher's private Redis exits together with the launcher. Steps in flight then cannot be recorded, so the worker
 * does not wait for them; they are repeated after the next start. With any other Redis, they finish.
 */
async function exitWithoutRedis(isRedisReady: () => Promise<boolean>): Promise<void> {
  while (await isRedisReady()) await sleep(REDIS_POLL_MS);
  process.exit(1);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
