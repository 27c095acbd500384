import { OPEN_STATUSES, splitAccount } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';
import { type Rounds, startRounds } from './start-rounds.ts';
import { isUnconfirmed } from '../store/submission-states.ts';
import type { StepContext } from './steps/step.ts';
import type { TaskQueues } from './task-queue.ts';
import type { WorkerAccounts } from './accounts/worker-accounts.ts';

/** Tasks per batch. With `BATCHES`, it limits a round, so that the round does not block Redis or the process. */
const BATCH = 200;
const BATCHES = 10;
/** For this many rounds after a task's deadline, a worker that has the task's account may still wake the task. */
const UNKNOWN_ACCOUNT_ROUNDS = 10;

export interface SweepContext extends Pick<StepContext, 'store' | 'content' | 'settings' | 'logger' | 'now' | 'wake'> {
  redis: Redis;
  keys: Keyspace;
  queues: TaskQueues;
  accounts: WorkerAccounts;
  /** Accounts of open tasks that are not configured, and that have been logged. */
  missing: Set<string>;
}

/** Starts the sweeper. Every worker has one, but a lock in Redis ensures that each round runs in only one of them. */
export function startSweeper(context: SweepContext): Rounds {
  const { redis, keys, settings, logger } = context;

  async function sweep(): Promise<void> {
    const hasLock = await redis.set(`${keys.prefix}sweeping`, '1', 'PX', Math.ceil(settings.sweepMs * 0.9), 'NX');
    if (hasLock) await sweepTasks(context);
  }
  return startRounds({
    work: sweep,
    everyMs: settings.sweepMs,
    onError: (error) => logger.error({ err: error }, 'sweep failed'),
  });
}

/**
 * Corrects what other processes may have missed:
 *
 * 1. It saves the accounts' caps again and dispatches queued tasks, because the end of a pause triggers no dispatch.
 * 2. It restores the wake-ups of overdue tasks (e.g. tasks that were recorded but not enqueued).
 *
 * A task that fails here is postponed, so that it never blocks others.
 */
async function sweepTasks(context: SweepContext): Promise<void> {
  const { store, accounts, redis, keys, logger, now, settings } = context;
  await store.saveCaps(accounts.caps);
  context.wake(await store.dispatchAll([...accounts]));

  await eachUpTo(keys.due, now() - settings.overdueMs, async (id) => {
    await reviveOverdue(context, id).catch(async (error: unknown) => {
      logger.error({ err: error, task: id }, 'overdue task could not be woken');
      await redis.zadd(keys.due, 'XX', now(), id);
    });
  });

  async function eachUpTo(key: string, score: number, visit: (id: string) => Promise<void>): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch++) {
      const ids = await redis.zrange(key, '-inf', String(score), 'BYSCORE', 'LIMIT', 0, BATCH);
      for (const id of ids) await visit(id);
      if (ids.length < BATCH) return;
    }
  }
}

async function reviveOverdue(context: SweepContext, id: string): Promise<void> {
  const { redis, keys, queues, store, settings, logger, now } = context;
  const [account, status, deadline] = await redis.hmget(keys.task(id), 'upstream', 'status', 'deadlineAt');
  if (!account || !status) {
    await redis.zrem(keys.due, id);
    return;
  }
  if (context.accounts.has(account)) {
    if (await queues.revive(account, id)) {
      await redis.hincrby(keys.stats, 'reconciled', 1);
      logger.info({ task: id, upstream: account, status }, 'overdue task woken');
    }
    // Because of `XX`, a task that is no longer in the set is not added again.
    await redis.zadd(keys.due, 'XX', now(), id);
    return;
  }
  // Another worker may serve the account, and that worker's sweeper then wakes the task.
  if (now() < Number(deadline) + UNKNOWN_ACCOUNT_ROUNDS * settings.sweepMs) {
    warnOnce(context, account);
    await redis.zadd(keys.due, 'XX', now(), id);
    return;
  }
  // Clients may retry after `no_upstream`, so it must not be used if the vendor may have accepted the submission.
  const set = {
    errorCode: isUnconfirmed(status) ? 'submission_unknown' : 'no_upstream',
    errorMessage: `${missingPart(account)} of the task is no longer configured. Contact the gateway's operator.`,
  };
  const note = { what: 'end', outcome: 'no_upstream' } as const;
  await store.move(id, { from: OPEN_STATUSES.filter((open) => open === status), to: 'failed', set, note });
  logger.error({ task: id, upstream: account }, 'task of an unknown upstream ended at its deadline');
}

/** Tasks of a removed credential wait for it until their deadline. */
function warnOnce({ missing, logger }: SweepContext, account: string): void {
  const { upstream, credential } = splitAccount(account);
  if (credential === undefined || missing.has(account)) return;
  missing.add(account);
  const remedy = 'add it to the configuration again, with `weight: 0`';
  logger.error({ upstream, credential }, `open tasks need a credential that is not configured; ${remedy}`);
}

function missingPart(account: string): string {
  return splitAccount(account).credential === undefined ? 'The upstream' : "The upstream's credential";
}
