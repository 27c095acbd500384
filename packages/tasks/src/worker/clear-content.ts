import { DamagedTaskError } from '../store/damaged-task-error.ts';
import { type Rounds, startRounds } from './start-rounds.ts';
import { removeInputs } from './steps/inputs.ts';
import type { SweepContext } from './sweep-tasks.ts';

const BATCH = 500;
/** Maximum age of partial blobs, longer than any write. */
const PARTIAL_LIFE_MS = 24 * 3_600_000;
/** How often unused files are removed. Rare, because it lists folders. */
const TIDY_MS = 3_600_000;
const CLEAR_RETRY_MS = 60_000;
/** Rounds after which a stalled process' lock expires. Two concurrent rounds do no harm. */
const MAX_LOCK_ROUNDS = 30;

export type ClearContext = Pick<SweepContext, 'redis' | 'keys' | 'store' | 'content' | 'settings' | 'logger' | 'now'>;

/**
 * Removes final tasks past their retention with their content, and once an hour files that no record references. It runs
 * in a separate loop, because an unavailable content store must not delay the sweeper's wake-ups. A lock in Redis
 * lets one process at a time run it.
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
    onError: (error) => logger.error({ err: error }, 'removal of expired tasks failed'),
  });
}

/** Stops at the first failure: usually the store is down, and the remaining tasks would fail too. */
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

async function clearTask({ store, content, logger }: ClearContext, id: string): Promise<void> {
  await removeContent({ store, content }, id).catch((error: unknown) => {
    if (!(error instanceof DamagedTaskError)) throw error;
    // Its files are removed later by their age.
    logger.error({ err: error, task: id }, 'damaged task removed without its content');
  });
  await store.purge(id);
}

async function removeContent({ store, content }: Pick<ClearContext, 'store' | 'content'>, id: string): Promise<void> {
  const record = await store.load(id);
  for (const output of record?.outputs ?? []) if (output.content) await content.remove(output.content.key);
  await removeInputs({ content }, await store.loadRequest(id));
}

async function tidyContent({ content, settings }: ClearContext): Promise<void> {
  const maxLifeMs = settings.queueDeadlineMs + settings.submitUnknownMs + 2 * settings.retentionMs;
  await content.clearOlder('tmp', PARTIAL_LIFE_MS);
  await content.clearOlder('inputs', maxLifeMs);
  await content.clearOlder('videos', maxLifeMs);
  await content.clearOlder('images', maxLifeMs);
}
