import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { checkRedis } from './check-redis.ts';
import { waitForRedis } from './redis-connection.ts';
import type { AccountCaps } from './task-settings.ts';
import type { TaskStore } from './task-store.ts';

/** What {@link prepareRedis} works with. */
export interface PrepareRedisOptions {
  store: Pick<TaskStore, 'saveCaps'>;
  caps: Record<string, AccountCaps>;
  /** How long the start waits for the first connection, milliseconds. */
  waitMs: number;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Looks at the server before it is used and tells it the accounts' caps. One that is away, or goes away meanwhile, does
 * not hold up the start: it is looked at when it comes, and what is wrong with it is then an error in the log.
 * @throws Error when it is there and cannot be used
 */
export async function prepareRedis(redis: Redis, options: PrepareRedisOptions): Promise<void> {
  if (await waitForRedis(redis, options.waitMs)) {
    const looked = await prepare(redis, options).then(
      (fatal) => ({ fatal }),
      (error: unknown) => {
        if (error instanceof Error && error.name === 'ReplyError') throw error; // it is there, and refuses us
        options.logger.warn({ err: error }, 'redis went away while it was looked at');
      },
    );
    if (looked?.fatal !== undefined) throw new Error(looked.fatal);
    if (looked) return;
  }
  redis.once('ready', () => {
    prepare(redis, options).then(
      (fatal) => fatal !== undefined && options.logger.error(fatal),
      (error: unknown) => options.logger.warn({ err: error }, 'redis could not be looked at'),
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
