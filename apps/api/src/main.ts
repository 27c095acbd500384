import { readFileSync } from 'node:fs';
import { accountCaps, loadConfig, secretsOf, taskSettings } from '@sluice/config';
import { createLocalContentStore, createTaskEngine } from '@sluice/tasks';
import { createLogger, createMetrics } from '@sluice/telemetry';
import { buildApi } from './build-api.ts';

/**
 * The HTTP process. It stops on SIGTERM, and when the launcher that started it is gone. Ctrl-C reaches the whole
 * terminal group: under a launcher it is the launcher's to act upon, alone it stops the API.
 */
async function main(): Promise<void> {
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const logger = createLogger({ level: config.log.level, name: 'api', secrets: secretsOf(config) });
  // `embedded` is for the launcher, which has started that server and says where it is.
  const redisUrl = config.redis.url === 'embedded' ? process.env['REDIS_URL'] : config.redis.url;
  if (!redisUrl)
    throw new Error('redis.url is `embedded`: start Sluice with `npm start`, or set REDIS_URL to a server.');

  const engine = await createTaskEngine({
    redisUrl,
    prefix: config.redis.prefix,
    accounts: accountCaps(config),
    settings: taskSettings(config),
    commandTimeoutMs: config.timeouts.redis_ms,
    logger,
  });
  const stopping = new AbortController();
  const app = await buildApi({
    config,
    engine,
    content: createLocalContentStore(config.contentDir),
    logger,
    metrics: createMetrics({ processMetrics: true }),
    version: packageVersion(),
    stopping: stopping.signal,
  });

  const { host, port } = config.server;
  const url = await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} on ${host} is taken. Set SLUICE_PORT to another, or stop what is using it.`);
  });
  logger.info({ url }, 'api listens');

  function stop(): void {
    if (stopping.signal.aborted) return;
    stopping.abort();
    logger.info('api stops: no new requests, those under way end');
    // Past the grace time whatever is still open is cut: a client repeats, and no task is lost by it.
    setTimeout(() => app.server.closeAllConnections(), config.timeouts.shutdown_ms).unref();
    void app
      .close()
      .then(() => engine.close())
      .then(() => process.exit(0));
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', () => {
    if (!process.send) stop();
  });
  process.on('disconnect', stop);
  // A launcher that died before we listened is not told of any more.
  if (process.send && !process.connected) stop();
  process.send?.({ type: 'ready', url });
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string; // our own package.json
  };
  return version;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
