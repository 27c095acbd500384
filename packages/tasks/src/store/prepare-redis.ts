import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { checkRedis } from './check-redis.ts';
import { waitForRedis } from './redis-connection.ts';
import type { AccountCaps } from './task-settings.ts';
import type { TaskStore } from './task-store.ts';

export interface PrepareRedisOptions {
  store: Pick<TaskStore, 'saveCaps'>;
  caps: Record<string, AccountCaps>;
  /** Timeout of the first connection, milliseconds. */
  waitMs: number;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** Checks an unavailable server later and logs its problems. @throws Error for an unusable server */
export async function prepareRedis(redis: Redis, options: PrepareRedisOptions): Promise<void> {
  if (await waitForRedis(redis, options.waitMs)) {
    const checked = await prepare(redis, options).then(
      (fatal) => ({ fatal }),
      (error: unknown) => {
        if (error instanceof Error && error.name === 'ReplyError') throw error; // available, but it rejects the command
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
