import type { TaskRecord } from '../../store/task-record.ts';

/** The BullMQ job that woke the worker for a step. */
export interface StepJob {
  /** How often the job has been started, including this time. */
  starts: number;
  /** Delays the job until `at` (Unix milliseconds). The command is sent in the current tick. */
  delay(at: number): Promise<void>;
  /** Runs the delayed job now. */
  promote(): Promise<void>;
}

interface PolledTask {
  record: TaskRecord;
  starts: number;
}

/** Limits the memory to about 30 MB. The least recently polled tasks are forgotten first. */
const MAX_TASKS = 20_000;

/**
 * The tasks that this worker has polled last, so that the next poll needs neither a claim nor a read. A record is used
 * only if no other worker has started the job in the meantime.
 */
export class PolledTasks {
  readonly #tasks = new Map<string, PolledTask>();

  remember(record: TaskRecord, { starts }: Pick<StepJob, 'starts'>): void {
    this.#tasks.set(record.id, { record, starts });
    if (this.#tasks.size <= MAX_TASKS) return;
    const [oldest] = this.#tasks.keys();
    if (oldest !== undefined) this.#tasks.delete(oldest);
  }

  /** Returns the record once, so that two steps never start from the same record. */
  take(id: string, { starts }: Pick<StepJob, 'starts'>): TaskRecord | undefined {
    const known = this.#tasks.get(id);
    this.#tasks.delete(id);
    return known && known.starts + 1 === starts ? known.record : undefined;
  }
}
