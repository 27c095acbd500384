import type { TaskEvents } from './task-events.ts';

/** Waits for the events of one task. */
export interface TaskSubscription {
  /** Starts to record events for the next call of `next`. */
  arm(): void;
  /** Resolves on the next event, on abort, or after `timeoutMs`. */
  next(timeoutMs: number): Promise<void>;
  close(): void;
}

export function subscribe(events: TaskEvents, id: string, signal: AbortSignal): TaskSubscription {
  let wakeUp: (() => void) | undefined;
  let event = Promise.resolve();
  const wake = () => wakeUp?.();
  const unwatch = events.watch(id, wake);
  signal.addEventListener('abort', wake);
  return {
    arm() {
      const { promise, resolve } = Promise.withResolvers<void>();
      wakeUp = resolve;
      event = promise;
    },
    async next(timeoutMs) {
      if (signal.aborted) return;
      const timer = setTimeout(wake, timeoutMs);
      await event;
      clearTimeout(timer);
    },
    close() {
      unwatch();
      // Remove the listener: while it exists, a combined signal lives as long as its longest-lived source, here the
      // process's signal.
      signal.removeEventListener('abort', wake);
    },
  };
}
