import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, redisUrlOf, secretsOf } from '@sluice/config';
import { stopSignal } from '@sluice/lifecycle';
import { createLogger, processLinesLevel } from '@sluice/telemetry';
import { buildWorker } from './build-worker.ts';
import { startHealth } from './health.ts';

async function main(): Promise<void> {
  const stop = stopSignal(process);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const logger = createLogger({ level: config.log.level, name: 'worker', secrets: secretsOf(config) });
  const worker = await buildWorker(config, redisUrlOf(config, process.env), logger);
  logger[processLinesLevel(process.env)]({ accounts: worker.accounts }, 'worker ready');
  const health = await startHealth(process.env['SLUICE_WORKER_HEALTH_PORT'], () => worker.ready());

  stop.started();
  stop.signal.addEventListener('abort', () => {
    logger[processLinesLevel(process.env)]('worker stopping; waiting for steps in flight');
    void worker
      .close()
      .then(() => health.close())
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        logger.fatal({ err: error }, 'worker did not stop cleanly');
        process.exit(1);
      });
  });
  stop.orphaned.addEventListener('abort', () => void exitWithoutRedis(() => worker.ready()));
  process.send?.({ type: 'ready' });
}

const REDIS_POLL_MS = 100;

/**
 * The launcher's private Redis exits with it. Steps in flight can then not be recorded, so waiting for them is useless;
 * the next start repeats them. With another Redis, they finish.
 */
async function exitWithoutRedis(isRedisReady: () => Promise<boolean>): Promise<void> {
  while (await isRedisReady()) await sleep(REDIS_POLL_MS);
  process.exit(1);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
