import { loadConfig, secretsOf } from '@sluice/config';
import { createLogger } from '@sluice/telemetry';
import { buildWorker } from './build-worker.ts';
import { startHealth } from './health.ts';

/**
 * The worker process. It stops on SIGTERM, and when the launcher that started it is gone. Ctrl-C reaches the whole
 * terminal group: under a launcher it is the launcher's to act upon, alone it stops the worker.
 */
async function main(): Promise<void> {
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const logger = createLogger({ level: config.log.level, name: 'worker', secrets: secretsOf(config) });
  // `embedded` is for the launcher, which has started that server and says where it is.
  const redisUrl = config.redis.url === 'embedded' ? process.env['REDIS_URL'] : config.redis.url;
  if (!redisUrl)
    throw new Error('redis.url is `embedded`: start Sluice with `npm start`, or set REDIS_URL to a server.');

  const worker = await buildWorker(config, redisUrl, logger);
  const health = await startHealth(process.env['SLUICE_WORKER_HEALTH_PORT'], () => worker.ready());

  let stopping: Promise<void> | undefined;
  function stop(): void {
    stopping ??= (async () => {
      logger.info('worker stops: no new steps, those under way end');
      await worker.close();
      await health.close();
      process.exit(0);
    })();
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', () => {
    if (!process.send) stop();
  });
  process.on('disconnect', stop);
  // A launcher that died before we listened is not told of any more.
  if (process.send && !process.connected) stop();
  process.send?.({ type: 'ready' });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
