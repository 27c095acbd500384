import { GatewayError, isFinal } from '@sluice/canonical';
import { type ItemState, parseGroup } from '../store/group-record.ts';
import { readShared, readStates } from '../store/read-items.ts';
import { createItem } from './create-item.ts';
import { cancelTask, recordTask } from './follow-item.ts';
import type { Lease, WorkerContext } from './worker-context.ts';

/** Maximum requests and reads of a group at the same time. */
const CONCURRENCY = 8;
/** A group with this many open tasks is checked once in each interval, and larger ones less often. */
const TASKS_PER_INTERVAL = 100;

/**
 * Creates the tasks that a group waits for, and records the states of the others. If the client has canceled
 * the group, cancels them.
 * @returns the time of the next check
 */
export async function checkGroup(context: WorkerContext, lease: Lease): Promise<number> {
  const { redis, keys, settings, now, stopping, logger } = context;
  const fields = await redis.hgetall(keys.group(lease.id));
  if (fields['id'] === undefined) return now();
  const group = parseGroup(fields);
  const isCancelling = group.status === 'cancelling';
  const items = await readStates(redis, keys, { id: lease.id, from: 0, end: Number(fields['total']) });
  const followed = items.filter(({ state, taskId }) => taskId !== undefined && isOpen(state));
  // Tasks can be in several Redis servers. The loss of one does not delay the others.
  const unavailable: GatewayError[] = [];
  await inParallel(followed, async (item) => {
    if (stopping.aborted || !(await renew(context, lease))) return false;
    try {
      const task = item.taskId === undefined ? undefined : await context.findTask(item.taskId);
      if (isCancelling && task && !isFinal(task.status) && !task.cancelRequested)
        await cancelTask(context, group, task.id);
      await recordTask(context, lease.id, item, task);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      unavailable.push(error);
    }
    return true;
  });
  if (unavailable.length > 0) logger.warn({ err: unavailable[0], group: lease.id }, 'videos could not be checked');

  let pausedUntil = 0;
  let isPaused = false;
  const pending = items.filter(({ state }) => state === 'pending');
  const shared = pending.length > 0 ? await readShared(redis, keys, lease.id) : {};
  await inParallel(pending, async (item) => {
    if (stopping.aborted || isPaused) return false;
    const result = await createItem(context, lease, { ...group, shared }, item);
    if (result === 'lost' || result === 'done') return result === 'done';
    pausedUntil = Math.max(pausedUntil, now() + result.pauseMs);
    isPaused ||= result.isForAll;
    return true;
  });
  const intervals = Math.ceil(items.filter(({ state }) => isOpen(state)).length / TASKS_PER_INTERVAL);
  // A worker that stops leaves the rest to others.
  if (stopping.aborted) return now();
  return Math.max(pausedUntil, now() + settings.pollMs * Math.max(1, intervals));
}

function isUnavailable(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.code === 'store_unavailable';
}

function isOpen(state: ItemState['state']): boolean {
  return state === 'pending' || state === 'queued' || state === 'in_progress';
}

/** @returns false if another worker has the lease */
async function renew({ redis, keys, settings, now }: WorkerContext, { id, token }: Lease): Promise<boolean> {
  return (await redis.groupsRenew(keys.root, id, token, now() + settings.leaseMs)) === 1;
}

/** Stops when `work` returns false or throws. */
async function inParallel(items: readonly ItemState[], work: (item: ItemState) => Promise<boolean>): Promise<void> {
  const rest = items.values();
  let isStopped = false;
  async function next(): Promise<void> {
    for (const item of rest) {
      if (isStopped) return;
      try {
        if (!(await work(item))) isStopped = true;
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, next));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
