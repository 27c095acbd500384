import { isFinal, type MediaTask } from '@sluice/canonical';
import type { EngineContext } from './engine-context.ts';
import { subscribe } from './subscribe.ts';

export async function waitForEnd(
  { store, events, now }: Pick<EngineContext, 'store' | 'events' | 'now'>,
  task: MediaTask,
  { timeoutMs, rereadMs, signal }: { timeoutMs: number; rereadMs: number; signal: AbortSignal },
): Promise<MediaTask> {
  const until = now() + timeoutMs;
  let current = task;
  const subscription = subscribe(events, task.id, signal);
  try {
    for (;;) {
      // Call `arm` before reading the record, so that events in between are not missed.
      subscription.arm();
      // During a Redis outage, return the task as it was last read, because Sluice has already accepted it.
      current = (await store.load(task.id).catch(() => undefined)) ?? current;
      const remainingMs = until - now();
      if (isFinal(current.status) || remainingMs <= 0 || signal.aborted) return current;
      await subscription.next(Math.min(remainingMs, rereadMs));
    }
  } finally {
    subscription.close();
  }
}
