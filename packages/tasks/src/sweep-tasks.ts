import type { Redis } from 'ioredis';
import { isTaskId } from './task-id.ts';
import type { Keyspace } from './keyspace.ts';
import { removeInputs } from './steps/store-inputs.ts';
import type { StepContext } from './steps/step.ts';
import type { TaskQueues } from './task-queue.ts';
import { OPEN_STATUSES } from './task-store.ts';

/** Tasks looked at in one round, so that no round blocks Redis or the process. */
const BATCH = 200;
/** No write of a blob takes this long; what is left of one after it belongs to a process that died. */
const PARTIAL_LIFE_MS = 24 * 3_600_000;

/** What the sweeper works with. */
export interface SweepContext extends Pick<StepContext, 'store' | 'content' | 'settings' | 'logger' | 'now' | 'wake'> {
  redis: Redis;
  keys: Keyspace;
  queues: TaskQueues;
  accounts: ReadonlyMap<string, unknown>;
}

/**
 * One round of the net under everything else:
 *
 * 1. Waiting tasks are let out where there is room: a pause that ended tells nobody.
 * 2. Open tasks past their due time get their wake-up back: "recorded but not enqueued" and lost jobs heal here.
 * 3. Final tasks past their retention are cleared away with their content, and so is what killed writers have left.
 */
export async function sweepTasks(context: SweepContext): Promise<void> {
  for (const account of context.accounts.keys()) {
    context.wake(account, await context.store.dispatchAll([account]));
  }
  await reviveOverdue(context);
  await clearExpired(context);
  await context.content.clearPartials(PARTIAL_LIFE_MS);
}

async function reviveOverdue(context: SweepContext): Promise<void> {
  const { redis, keys, queues, store, settings, logger } = context;
  const overdue = context.now() - settings.overdueMs;
  const ids = await redis.zrange(keys.due, '-inf', String(overdue), 'BYSCORE', 'LIMIT', 0, BATCH);
  for (const id of ids) {
    const [account, status, deadline] = await redis.hmget(keys.task(id), 'upstream', 'status', 'deadlineAt');
    if (!account || !status) {
      await redis.zrem(keys.due, id);
      continue;
    }
    if (!context.accounts.has(account)) {
      await endOrphan(context, id, account, Number(deadline));
      continue;
    }
    if (await queues.revive(account, id)) {
      await redis.hincrby(keys.stats, 'reconciled', 1);
      logger.info({ task: id, upstream: account, status }, 'overdue task woken');
    }
    // XX: a task that has become final meanwhile must not come back. It is looked at again when overdue anew.
    await redis.zadd(keys.due, 'XX', context.now(), id);
  }

  /** No worker here serves the account any more; another may, until the task's time is over. */
  async function endOrphan({ now }: SweepContext, id: string, account: string, deadlineAt: number): Promise<void> {
    if (now() < deadlineAt) {
      await redis.zadd(keys.due, 'XX', now(), id);
      return;
    }
    await store.move(id, {
      from: OPEN_STATUSES,
      to: 'failed',
      set: { errorCode: 'no_upstream', errorMessage: 'The upstream that had the task is no longer configured.' },
    });
    logger.error({ task: id, upstream: account }, 'task of an unknown upstream ended at its deadline');
  }
}

async function clearExpired(context: SweepContext): Promise<void> {
  const { redis, keys, store, content } = context;
  const ids = await redis.zrange(keys.expiring, '-inf', String(context.now()), 'BYSCORE', 'LIMIT', 0, BATCH);
  for (const id of ids.filter(isTaskId)) {
    const record = await store.load(id);
    if (record?.content) await content.remove(record.content.key);
    await removeInputs(context, await store.loadRequest(id));
    await store.purge(id);
  }
}
