import type { Program } from '../processes.ts';
import type { StepReport } from './report-steps.ts';

/**
 * Measures how long the work of a killed worker stands still: for each step that was under way in it, the time from the
 * kill until another worker has claimed the task.
 */
export class StepRecovery {
  /** Milliseconds, one for each step that was under way in a killed worker and goes on. */
  readonly samples: number[] = [];
  readonly #underWay = new Map<Program, Set<string>>();
  readonly #orphans = new Map<string, number>();
  readonly #nextClaims = new Set<() => void>();

  /** Listens to a worker. */
  follow(worker: Program): void {
    const tasks = new Set<string>();
    this.#underWay.set(worker, tasks);
    worker.process.on('message', (message) => {
      const { type, task } = message as Partial<StepReport>; // our own preload's messages, or "ready"
      if (task === undefined) return;
      if (type === 'left') tasks.delete(task);
      if (type !== 'claimed') return;
      tasks.add(task);
      for (const tell of this.#nextClaims) tell();
      this.#nextClaims.clear();
      const killedAt = this.#orphans.get(task);
      if (killedAt === undefined) return;
      this.#orphans.delete(task);
      this.samples.push(Date.now() - killedAt);
    });
  }

  /** @param at time of the kill, Unix milliseconds */
  killed(worker: Program, at: number): void {
    for (const task of this.#underWay.get(worker) ?? []) this.#orphans.set(task, at);
    this.#underWay.delete(worker);
  }

  /** Resolves when any worker next claims a task. */
  nextClaim(): Promise<void> {
    return new Promise((resolve) => this.#nextClaims.add(resolve));
  }
}
