import type { VendorBatch } from './vendor-batch.ts';

type Task = Pick<VendorBatch<unknown>, 'wire' | 'task'>;

interface TaskCount extends Task {
  applied: number;
  refused: number;
  upstreamIds: string[];
  /** The number of calls, keyed by line. */
  lines: Map<string, number>;
}

const MAX_REPEATED = 100;

/** Counts the creations of each task, and the calls of each line, across all batches that a task created. */
export function createBatchCounts() {
  const tasks = new Map<string, TaskCount>();
  const faults = new Map<string, number>();

  function countOf({ wire, task }: Task): TaskCount {
    const key = JSON.stringify([wire, task]);
    const known = tasks.get(key);
    if (known !== undefined) return known;
    const fresh = { wire, task, applied: 0, refused: 0, upstreamIds: [], lines: new Map<string, number>() };
    tasks.set(key, fresh);
    return fresh;
  }

  return {
    accept(batch: Task & { id: string }): void {
      const count = countOf(batch);
      count.applied += 1;
      count.upstreamIds.push(batch.id);
    },
    refuse(task: Task): void {
      countOf(task).refused += 1;
    },
    countLine(task: Task, key: string): void {
      const { lines } = countOf(task);
      lines.set(key, (lines.get(key) ?? 0) + 1);
    },
    /** Returns true for the first `times` calls with this subject and directive. */
    consumeFault(subject: string, word: string, times: number): boolean {
      const key = JSON.stringify([subject, word]);
      const count = faults.get(key) ?? 0;
      faults.set(key, Math.min(times, count + 1));
      return count < times;
    },
    /** Returns one entry per vendor API and task, ordered by first creation. */
    report: () =>
      [...tasks.values()].map(({ wire, task, applied, refused, upstreamIds, lines }) => ({
        wire,
        task,
        applied,
        refused,
        upstream_ids: upstreamIds,
        lines: lines.size,
        line_calls: [...lines.values()].reduce((sum, calls) => sum + calls, 0),
        repeated_lines: [...lines]
          .filter(([, calls]) => calls > 1)
          .slice(0, MAX_REPEATED)
          .map(([key]) => key),
      })),
  };
}

export type BatchCounts = ReturnType<typeof createBatchCounts>;
