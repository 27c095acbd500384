import type { Tracing } from '@sluice/telemetry';
import type { TaskRecord } from '../../store/task-record.ts';
import { TracedStep } from './traced-step.ts';

/** The steps that this worker is running, by task id. A worker runs only one step of a task at a time. */
export class TaskTraces {
  readonly #tracing: Tracing;
  readonly #steps = new Map<string, TracedStep>();

  constructor(tracing: Tracing) {
    this.#tracing = tracing;
  }

  /** Starts the span of a step. If the task has one already, it continues. */
  begin(record: TaskRecord): TracedStep {
    const step = this.#steps.get(record.id) ?? new TracedStep(this.#tracing, record);
    this.#steps.set(record.id, step);
    return step;
  }

  of(id: string): TracedStep | undefined {
    return this.#steps.get(id);
  }

  moved(record: TaskRecord): void {
    this.#steps.get(record.id)?.moved(record);
  }

  end(id: string, error?: string): void {
    this.#steps.get(id)?.end(error);
    this.#steps.delete(id);
  }
}
