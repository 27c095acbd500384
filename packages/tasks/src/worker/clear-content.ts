import { contentLifeMs, inputLifeMs } from '../store/stored-inputs.ts';
import { clearTask } from './clear-task.ts';
import { type Rounds, startRounds } from './start-rounds.ts';
import type { SweepContext } from './sweep-tasks.ts';

const BATCH = 500;
/** Maximum age of partial blobs. No write takes this long. */
const PARTIAL_LIFE_MS = 24 * 3_600_000;
/** How often unused files are removed. The interval is long because the cleanup lists folders. */
const TIDY_MS = 3_600_000;
const CLEAR_RETRY_MS = 60_000;
/** The lock of a stalled process expires after this many rounds. Concurrent rounds do no harm. */
const MAX_LOCK_ROUNDS = 30;

export type ClearContext = Pick<SweepContext, 'redis' | 'keys' | 'store' | 'content' | 'settings' | 'logger' | 'now'>;

/**
 * Removes final tasks past their retention together with their content. Once an hour, also removes files that no record
 * references. It runs in a separate loop, because an unavailable content store must not delay the sweeper's wake-ups. A
 * lock in Redis ensures that only one process at a time runs it.
 */
export function startClearing(context: ClearContext): Rounds {
  const { redis, keys, settings, logger } = context;

  async function clear(isClosed: () => boolean): Promise<void> {
    const lock = `${keys.prefix}clearing`;
    if (!(await redis.set(lock, '1', 'PX', MAX_LOCK_ROUNDS * settings.sweepMs, 'NX'))) return;
    try {
      await clearExpired(context, isClosed);
      if (await redis.set(`${keys.prefix}tidied`, '1', 'PX', TIDY_MS, 'NX')) await tidyContent(context);
    } finally {
      await redis.del(lock);
    }
  }
  return startRounds({
    work: clear,
    everyMs: settings.sweepMs,
    onError: (error) => logger.error({ err: error }, 'expired tasks could not be removed'),
  });
}

/** Stops at the first failure, because the store is then usually unavailable and the remaining tasks would fail too. */
async function clearExpired(context: ClearContext, isStopped: () => boolean): Promise<void> {
  const { redis, keys, logger, now } = context;
  const ids = await redis.zrange(keys.expiring, '-inf', String(now()), 'BYSCORE', 'LIMIT', 0, BATCH);
  for (const id of ids) {
    if (isStopped()) return;
    try {
      await clearTask(context, id);
    } catch (error) {
      logger.error({ err: error, task: id }, 'expired task could not be removed');
      await redis.zadd(keys.expiring, 'XX', now() + CLEAR_RETRY_MS, id);
      return;
    }
  }
}

async function tidyContent({ content, settings }: ClearContext): Promise<void> {
  const maxLifeMs = contentLifeMs(settings);
  await content.clearOlder('tmp', PARTIAL_LIFE_MS);
  await content.clearOlder('inputs', inputLifeMs(settings));
  await content.clearOlder('videos', maxLifeMs);
  await content.clearOlder('images', maxLifeMs);
}
