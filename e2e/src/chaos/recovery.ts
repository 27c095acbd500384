import type { Program } from '../processes.ts';
import type { StepReport } from './report-steps.ts';

/**
 * Measures how long the active steps of a killed worker are interrupted: the time from the kill until another worker
 * claims the task.
 */
export class StepRecovery {
  /** Recovery times in milliseconds, one per recovered step. */
  readonly samples: number[] = [];
  readonly #active = new Map<Program, Set<string>>();
  readonly #orphans = new Map<string, number>();
  readonly #nextClaims = new Set<() => void>();

  follow(worker: Program): void {
    const tasks = new Set<string>();
    this.#active.set(worker, tasks);
    worker.onMessage((message) => {
      // The cast is safe because the message is a report of the preloaded module or "ready".
      const { type, task } = message as Partial<StepReport>;
      if (task === undefined) return;
      if (type === 'released') tasks.delete(task);
      if (type !== 'claimed') return;
      tasks.add(task);
      for (const resolve of this.#nextClaims) resolve();
      this.#nextClaims.clear();
      const killedAt = this.#orphans.get(task);
      if (killedAt === undefined) return;
      this.#orphans.delete(task);
      this.samples.push(Date.now() - killedAt);
    });
  }

  /** @param at time of the kill in Unix milliseconds */
  killed(worker: Program, at: number): void {
    for (const task of this.#active.get(worker) ?? []) this.#orphans.set(task, at);
    this.#active.delete(worker);
  }

  /** Resolves when any worker claims a task. */
  nextClaim(): Promise<void> {
    return new Promise((resolve) => this.#nextClaims.add(resolve));
  }
}
