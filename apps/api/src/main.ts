import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Config, secretsOf, unpricedModels } from '@sluice/config';
import { ChildStartError, stopSignal } from '@sluice/lifecycle';
import { createPriceBook } from '@sluice/prices';
import { loadAtStart } from '@sluice/reload';
import { createLogger, type Logger } from '@sluice/telemetry';

/** The primary sets this environment variable for each process that it starts. */
const GROUP_VARIABLE = 'SLUICE_API_GROUP';

/** Delays the check until the API serves requests, because it loads the price catalog. */
const PRICE_CHECK_MS = 2_000;

async function main(): Promise<void> {
  const { env } = process;
  const stop = stopSignal(process);
  const warnings: string[] = [];
  const loaded = await loadAtStart({ env, cwd: process.cwd() }, (message) => warnings.push(message));
  const { config } = loaded;
  const logger = createLogger({ level: config.log.level, name: 'api', secrets: secretsOf(config) });
  for (const message of warnings) logger.warn(message);
  const isGrouped = env[GROUP_VARIABLE] !== undefined;
  if (!isGrouped) {
    setTimeout(() => warnOfUnpricedModels(config, logger), PRICE_CHECK_MS).unref();
    const { processes } = config.server;
    const count = processes === 'auto' ? availableParallelism() : processes;
    if (count > 1) {
      const { runProcesses } = await import('./processes/run-processes.ts');
      const { shutdown_ms: shutdownMs } = config.timeouts;
      return runProcesses({ count, shutdownMs, env, logger, stop, groupVariable: GROUP_VARIABLE });
    }
  }

  // Imported here, because the primary does not serve requests.
  const { serveApi } = await import('./serve-api.ts');
  const group = isGrouped ? (await import('./processes/process-group.ts')).joinProcessGroup() : undefined;
  const url = await serveApi({ loaded, env, logger, version: packageVersion(), stop, group });
  process.send?.({ type: 'ready', url });
}

function warnOfUnpricedModels(config: Config, logger: Logger): void {
  const prices = createPriceBook(config);
  for (const { key, models } of unpricedModels(config, (model) => prices.hasCatalogPrices(model))) {
    logger.warn(
      { client: key, models },
      'models without a price: their cost is not charged, and budgets do not limit them',
    );
  }
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string; // The cast is safe because this is the package's own package.json.
  };
  return version;
}

main().catch((error: unknown) => {
  const isReported = error instanceof ChildStartError && error.hasReported;
  if (!isReported) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
