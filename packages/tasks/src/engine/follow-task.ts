import { isFinal, type MediaTask } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';
import { readShown } from '../store/read-timeline.ts';
import type { TaskChange } from './task-requests.ts';
import { subscribe } from './subscribe.ts';
import type { TaskEvents } from './task-events.ts';
import type { TaskStore } from '../store/task-store.ts';

export interface FollowContext {
  redis: Redis;
  keys: Keyspace;
  store: TaskStore;
  events: TaskEvents;
  /** How often to read the timeline if no event arrives, in milliseconds. */
  rereadMs: number;
}

/**
 * Yields each change of a task that clients see, once and in order, until the task ends.
 *
 * An event is only a hint to read the task's timeline again. A lost event, a trimmed stream, or a Redis outage delays a
 * change but never drops it. The next change is read only when the consumer requests it.
 * @param after the last revision that the consumer knows; an unknown revision is treated as 0
 */
export async function* followTask(
  { redis, keys, store, events, rereadMs }: FollowContext,
  task: MediaTask,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TaskChange, void> {
  const known = after <= task.revision ? after : 0;
  let nextIndex = 0;
  let isReported = false;
  const subscription = subscribe(events, task.id, signal);
  try {
    while (!signal.aborted) {
      // Call `arm` before reading the timeline, so that events in between are not missed.
      subscription.arm();
      const read = await Promise.all([readShown(redis, keys, task.id, nextIndex), store.loadState(task.id)]).catch(
        () => undefined, // Redis is unavailable.
      );
      if (read) {
        const [entries, state] = read;
        if (!state || state.deleted) return; // The task is deleted or past its retention.
        const current = { ...task, ...state };
        for (const { revision, status, progress } of entries) {
          nextIndex += 1;
          isReported = true;
          if (revision > known) yield { revision, task: { ...current, status, progress } };
          if (isFinal(status)) return;
        }
        // If an earlier version of Sluice created the task, its timeline may be incomplete.
        const isEnded = isFinal(state.status);
        if ((isEnded || !isReported) && state.revision > known) yield { revision: state.revision, task: current };
        if (isEnded) return;
        isReported = true;
      }
      await subscription.next(rereadMs);
    }
  } finally {
    subscription.close();
  }
}
