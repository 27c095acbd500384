import type { MediaTask } from '@sluice/canonical';
import { isTaskId } from '../store/task-id.ts';
import type { TaskRecord } from '../store/task-record.ts';
import type { EngineContext } from './engine-context.ts';

type FindContext = Pick<EngineContext, 'store' | 'now'>;

/** Whether a task exists for its owner. A deleted or expired task does not, even if its record still exists. */
export function exists({ deleted, expiresAt }: MediaTask, now: number): boolean {
  return !deleted && (expiresAt === undefined || expiresAt > now);
}

export async function findTask({ store, now }: FindContext, id: string): Promise<TaskRecord | undefined> {
  const record = isTaskId(id) ? await store.load(id) : undefined;
  return record && exists(record, now()) ? record : undefined;
}

export async function findOwnedTask(
  context: FindContext,
  ownerId: string,
  id: string,
): Promise<TaskRecord | undefined> {
  const record = await findTask(context, id);
  return record?.ownerId === ownerId ? record : undefined;
}

/** @param externalId the id that the client chose */
export async function findByExternalId(
  context: FindContext,
  ownerId: string,
  externalId: string,
): Promise<TaskRecord | undefined> {
  const id = await context.store.findIdByExternalId(ownerId, externalId);
  return id === undefined ? undefined : findOwnedTask(context, ownerId, id);
}
