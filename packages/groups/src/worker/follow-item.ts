import { text as readText } from 'node:stream/consumers';
import {
  GatewayError,
  type GroupItemError,
  type GroupItemState,
  isFinal,
  type MediaTask,
  publicStatus,
} from '@sluice/canonical';
import type { ItemState, StoredGroup } from '../store/group-record.ts';
import type { WorkerContext } from './worker-context.ts';

interface ItemChange {
  state: GroupItemState;
  taskId?: string;
  costNanos?: number | undefined;
  unpriced?: boolean;
  error?: GroupItemError | undefined;
}

/** Records the state of an item, unless it was retried or has ended in the meantime. */
export async function recordItem(
  { redis, keys, settings, now }: WorkerContext,
  id: string,
  { index, retries }: Pick<ItemState, 'index' | 'retries'>,
  { state, taskId = '', costNanos = 0, unpriced = false, error }: ItemChange,
): Promise<void> {
  const problem = error ? JSON.stringify({ code: error.code, message: error.message }) : '';
  const args = [state, taskId, now(), settings.retentionMs, costNanos, unpriced ? '1' : '0', problem];
  await redis.groupsRecordItem(keys.root, id, index, retries, ...args);
}

/** Records that the task of an item could not be created. */
export async function failItem(
  context: WorkerContext,
  id: string,
  item: ItemState,
  { code, message }: GroupItemError,
): Promise<void> {
  await recordItem(context, id, item, { state: 'failed', error: { code, message } });
}

/** Records the state of an item's task. A task that the client deleted is canceled. */
export async function recordTask(
  context: WorkerContext,
  id: string,
  item: ItemState,
  task: MediaTask | undefined,
): Promise<void> {
  const state = task ? stateOf(task) : 'cancelled';
  if (state === item.state) return;
  const hasEnded = task !== undefined && isFinal(task.status);
  await recordItem(context, id, item, {
    state,
    ...(hasEnded && { costNanos: task.costNanos, unpriced: task.unpriced === true }),
    error: task?.error,
  });
}

function stateOf({ status }: MediaTask): GroupItemState {
  return status === 'canceled' ? 'cancelled' : publicStatus(status);
}

/** Requests the cancellation of a task. If the task ends first, or the owner's key was revoked, nothing happens. */
export async function cancelTask(
  { serve, aborting }: WorkerContext,
  { owner, headers }: Pick<StoredGroup, 'owner' | 'headers'>,
  taskId: string,
): Promise<void> {
  try {
    const { body } = await serve({ owner, path: `/v1/videos/${taskId}/cancel`, headers, signal: aborting });
    await readText(body); // The connection is free when the body has been read.
  } catch (error) {
    if (!isUnknownKey(error)) throw error;
  }
}

/** Whether the owner's key does not exist any more. */
export function isUnknownKey(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.code === 'invalid_api_key';
}
