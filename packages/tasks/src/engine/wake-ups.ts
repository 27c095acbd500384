import type { Logger } from '@sluice/telemetry';
import type { WokenTask } from '../store/move.ts';
import type { TaskQueues } from '../worker/task-queue.ts';

/** Wakes workers without delaying the caller. If a wake-up fails, the sweeper wakes the task later. */
export class WakeUps {
  readonly #queues: Pick<TaskQueues, 'wake'>;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(queues: Pick<TaskQueues, 'wake'>, logger: Pick<Logger, 'warn'>) {
    this.#queues = queues;
    this.#logger = logger;
  }

  readonly wake = (tasks: readonly WokenTask[]): void => {
    for (const { account, id } of tasks) {
      const wakeUp = this.#queues
        .wake(account, id)
        .catch((error: unknown) =>
          this.#logger.warn({ err: error, task: id }, 'task could not be enqueued; the sweeper will wake it'),
        )
        .finally(() => this.#pending.delete(wakeUp));
      this.#pending.add(wakeUp);
    }
  };

  /** Resolves when all pending wake-ups have been sent or have failed. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}
