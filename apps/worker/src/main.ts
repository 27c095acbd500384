import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, redisUrlOf, secretsOf } from '@sluice/config';
import { stopSignal } from '@sluice/lifecycle';
import { createLogger, createWorkerMetrics, loadTracing, processLinesLevel } from '@sluice/telemetry';
import { buildWorker } from './build-worker.ts';
import { startHealth } from './health.ts';

async function main(): Promise<void> {
  const stop = stopSignal(process);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const logger = createLogger({ level: config.log.level, name: 'worker', secrets: secretsOf(config) });
  const port = process.env['SLUICE_WORKER_HEALTH_PORT'];
  // Without a port, no client could read the metrics.
  const metrics = port ? createWorkerMetrics({ processMetrics: true }) : undefined;
  const tracing = await loadTracing({
    env: process.env,
    service: 'sluice-worker',
    version: packageVersion(),
    upstreams: config.upstreams,
    logger,
  });
  const worker = await buildWorker(config, redisUrlOf(config, process.env), logger, metrics, tracing);
  logger[processLinesLevel(process.env)]({ accounts: worker.accounts }, 'worker ready');
  const health = await startHealth(port, { ready: () => worker.ready(), metrics });

  stop.started();
  stop.signal.addEventListener('abort', () => {
    logger[processLinesLevel(process.env)]('worker stopping; waiting for steps in flight');
    void worker
      .close()
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
