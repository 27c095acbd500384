import type { EngineContext } from './engine-context.ts';
import type { NewTask } from './task-requests.ts';

/** Whether an earlier request with the same idempotency key or external id, or the same retried request, has a task. */
export async function knowsTask({ redis, keys }: EngineContext, newTask: NewTask): Promise<boolean> {
  const { ownerId, operation, idempotencyKey, externalId, digest } = newTask;
  const known = [
    ...(idempotencyKey === undefined
      ? [keys.recent(ownerId, operation, digest)]
      : [keys.idempotency(ownerId, operation, idempotencyKey)]),
    ...(externalId === undefined ? [] : [keys.external(ownerId, externalId)]),
  ];
  return (await redis.exists(...known)) > 0;
}

/** Whether a task of an earlier request may exist. */
export function mayBeRepeated({ idempotencyKey, externalId, retryCount }: NewTask): boolean {
  return idempotencyKey !== undefined || externalId !== undefined || retryCount > 0;
}
