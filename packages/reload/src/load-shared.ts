import { ConfigError, type LoadedConfig, readConfig, redisSettings } from '@sluice/config';
import { openRedisOnce, signInToRedis } from '@sluice/redis';
import type { Redis } from 'ioredis';
import type { Logger } from '@sluice/telemetry';
import { ConfigStore, stampOf, type ProcessState, type StoredConfig } from './config-store.ts';
import { LastGood } from './last-good.ts';
import { issueLines } from './shown-issues.ts';

export interface ProcessEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  /** Base folder for relative paths. */
  cwd: string;
}

export interface LoadedSource extends LoadedConfig {
  source: ProcessState['source'];
  /** The stamp of the stored configuration that was read. Undefined for a file. */
  stamp: string | undefined;
}

const REDIS_DOCUMENT = 'redis';
const LAST_GOOD_DOCUMENT = 'last-good.yaml';
const START_TIMEOUT_MS = 3_000;

/**
 * Reads the configuration of a process at its start. If it is in Redis, and Redis is unavailable, has none, or has an
 * invalid one, uses the copy in the data folder, or otherwise the file alone.
 * @throws ConfigError if the file is invalid
 */
export async function loadAtStart(where: ProcessEnvironment, warn: (message: string) => void): Promise<LoadedSource> {
  const local = await readConfig(where);
  if (local.config.config.source === 'file') return { ...local, source: 'file', stamp: undefined };
  const stored = await readOnce(local, where, warn);
  if (stored) {
    try {
      const loaded = await loadStored(where, stored);
      await keep(loaded, stored.text);
      return loaded;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      warn(`The configuration in Redis is invalid. Replace it with PUT /admin/v1/config.\n${error.message}`);
    }
  }
  return (await loadLastGood(where, local, warn)) ?? { ...local, source: 'file', stamp: undefined };
}

/** @throws ConfigError */
export async function loadStored(where: ProcessEnvironment, { text, stamp }: StoredConfig): Promise<LoadedSource> {
  const loaded = await readConfig({ ...where, document: { name: REDIS_DOCUMENT, text } });
  return { ...loaded, source: 'redis', stamp };
}

async function loadLastGood(
  where: ProcessEnvironment,
  { config }: LoadedConfig,
  warn: (message: string) => void,
): Promise<LoadedSource | undefined> {
  const text = await new LastGood(config.dataDir).read();
  if (text === undefined) return undefined;
  try {
    const loaded = await readConfig({ ...where, document: { name: LAST_GOOD_DOCUMENT, text } });
    warn('The last valid configuration in the data folder is used.');
    return { ...loaded, source: 'last_good', stamp: stampOf(text) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    warn(`The last valid configuration in the data folder is no longer valid.\n${error.message}`);
    return undefined;
  }
}

/** Keeps a copy for starts without Redis. A failure only costs the copy. */
export async function keep({ config }: Pick<LoadedConfig, 'config'>, text: string): Promise<void> {
  await new LastGood(config.dataDir).write(text).catch(() => undefined);
}

async function readOnce(
  { config }: LoadedConfig,
  { env }: ProcessEnvironment,
  warn: (message: string) => void,
): Promise<StoredConfig | undefined> {
  let redis: Redis | undefined;
  try {
    const settings = await signInToRedis(redisSettings(config, env));
    redis = openRedisOnce(settings, { timeoutMs: START_TIMEOUT_MS });
    redis.on('error', () => undefined); // The command fails as well.
    const stored = await new ConfigStore(redis, config.redis.prefix).read();
    if (!stored) warn('Redis has no configuration yet. Send one with PUT /admin/v1/config.');
    return stored;
  } catch {
    warn('Redis is unavailable, so its configuration cannot be read.');
    return undefined;
  } finally {
    redis?.disconnect();
  }
}

/** Logs an invalid configuration, with the position and remedy of each problem. */
export function logInvalid(logger: Pick<Logger, 'error'>, error: ConfigError, trigger: string): void {
  logger.error({ trigger, issues: issueLines(error) }, 'configuration has errors; nothing has changed');
}
