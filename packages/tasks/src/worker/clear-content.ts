import { DamagedTaskError } from '../store/damaged-task-error.ts';
import { type Rounds, startRounds } from './start-rounds.ts';
import { removeInputs } from './steps/inputs.ts';
import type { SweepContext } from './sweep-tasks.ts';

/** Tasks cleared away in one round at most; the next one goes on. */
const BATCH = 500;
/** No write of a blob takes this long; what is left of one after it belongs to a process that died. */
const PARTIAL_LIFE_MS = 24 * 3_600_000;
/** How often the content store is tidied: it walks folders. */
const TIDY_MS = 3_600_000;
/** A task that could not be cleared away is tried again after this. */
const CLEAR_RETRY_MS = 60_000;
/** Rounds after which one of which nothing is heard is taken for lost. Two at once do no harm. */
const LOST_ROUNDS = 30;

/** What clearing away needs. */
export type ClearContext = Pick<SweepContext, 'redis' | 'keys' | 'store' | 'content' | 'settings' | 'logger' | 'now'>;

/**
 * Clears final tasks past their retention away with their content, and once an hour what no record can name. A loop of its
 * own beside the sweeper's: a content store that does not answer must not hold up those that wait to be woken. A lock in
 * Redis lets one process of the fleet do it at a time.
 */
export function startClearing(context: ClearContext): Rounds {
  const { redis, keys, settings, logger } = context;

  async function clear(isClosed: () => boolean): Promise<void> {
    const lock = `${keys.prefix}clearing`;
    if (!(await redis.set(lock, '1', 'PX', LOST_ROUNDS * settings.sweepMs, 'NX'))) return;
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
    onError: (error) => logger.error({ err: error }, 'clearing away failed'),
  });
}

/** One round; it ends with the first failure, which is mostly the store's and would be the next one's, too. */
async function clearExpired(context: ClearContext, isStopped: () => boolean): Promise<void> {
  const { redis, keys, logger, now } = context;
  const ids = await redis.zrange(keys.expiring, '-inf', String(now()), 'BYSCORE', 'LIMIT', 0, BATCH);
  for (const id of ids) {
    if (isStopped()) return;
    try {
      await clearAway(context, id);
    } catch (error) {
      logger.error({ err: error, task: id }, 'expired task could not be cleared away');
      await redis.zadd(keys.expiring, 'XX', now() + CLEAR_RETRY_MS, id);
      return;
    }
  }
}

async function clearAway({ store, content, logger }: ClearContext, id: string): Promise<void> {
  await removeContent({ store, content }, id).catch((error: unknown) => {
    if (!(error instanceof DamagedTaskError)) throw error;
    // What it named is found by its age.
    logger.error({ err: error, task: id }, 'damaged task cleared away without its content');
  });
  await store.purge(id);
}

async function removeContent({ store, content }: Pick<ClearContext, 'store' | 'content'>, id: string): Promise<void> {
  const record = await store.load(id);
  for (const output of record?.outputs ?? []) if (output.content) await content.remove(output.content.key);
  await removeInputs({ content }, await store.loadRequest(id));
}

/** Files that no record can name any more: of killed processes, and of uploads whose task was never recorded. */
async function tidyContent({ content, settings }: ClearContext): Promise<void> {
  const maxLifeMs = settings.queueDeadlineMs + settings.submitUnknownMs + 2 * settings.retentionMs;
  await content.clearOlder('tmp', PARTIAL_LIFE_MS);
  await content.clearOlder('inputs', maxLifeMs);
  await content.clearOlder('videos', maxLifeMs);
  await content.clearOlder('images', maxLifeMs);
}
