import { waitForRedis } from '@sluice/redis';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { checkRedis } from './check-redis.ts';
import type { AccountCaps } from './task-settings.ts';
import type { TaskStore } from './task-store.ts';

export interface PrepareRedisOptions {
  store: Pick<TaskStore, 'saveCaps'>;
  caps: Record<string, AccountCaps>;
  /** Maximum time to wait for the first connection, in milliseconds. */
  waitMs: number;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Waits for Redis, checks it, and saves the caps. If Redis is unavailable, does this later and logs problems.
 * @throws Error if the server is unusable
 */
export async function prepareRedis(redis: Redis, options: PrepareRedisOptions): Promise<void> {
  if (await waitForRedis(redis, options.waitMs)) {
    const checked = await prepare(redis, options).then(
      (fatal) => ({ fatal }),
      (error: unknown) => {
        // The server is available but rejects the command.
        if (error instanceof Error && error.name === 'ReplyError') throw error;
        options.logger.warn({ err: error }, 'redis became unavailable during its check');
      },
    );
    if (checked?.fatal !== undefined) throw new Error(checked.fatal);
    if (checked) return;
  }
  redis.once('ready', () => {
    prepare(redis, options).then(
      (fatal) => fatal !== undefined && options.logger.error(fatal),
      (error: unknown) => options.logger.warn({ err: error }, 'redis could not be checked'),
    );
  });
}

async function prepare(redis: Redis, { store, caps, logger }: PrepareRedisOptions): Promise<string | undefined> {
  const { fatal, warning } = await checkRedis(redis);
  if (fatal !== undefined) return fatal;
  if (warning !== undefined) logger.warn(warning);
  await store.saveCaps(caps);
  return undefined;
}
