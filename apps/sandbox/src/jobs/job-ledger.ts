import type { Journal, JournalEvent } from './journal.ts';
import { endOf, type JobInput, type MediaJob, startOf } from './media-job.ts';

type Refusal = Pick<MediaJob, 'wire' | 'task' | 'prompt'>;

interface SubmissionCount extends Refusal {
  applied: number;
  refused: number;
  canceled: number;
  /** Ids of all accepted jobs, including deleted ones. */
  upstreamIds: string[];
  inputs: JobInput[];
}

function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}

function increment(counters: Map<string, number>, key: string): void {
  counters.set(key, (counters.get(key) ?? 0) + 1);
}

function countOf(counts: Map<string, SubmissionCount>, { wire, task, prompt }: Refusal): SubmissionCount {
  const known = counts.get(keyOf(wire, task));
  if (known !== undefined) return known;
  const fresh = { wire, task, prompt, applied: 0, refused: 0, canceled: 0, upstreamIds: [], inputs: [] };
  counts.set(keyOf(wire, task), fresh);
  return fresh;
}

/** Jobs and counters of all vendor APIs, rebuilt from the journal's events. */
function createLedgerState() {
  const jobs = new Map<string, Map<string, MediaJob>>();
  const unfinished = new Map<string, MediaJob[]>();
  const maxRunning = new Map<string, number>();
  const counts = new Map<string, SubmissionCount>();
  const faults = new Map<string, number>();

  function accept(job: MediaJob): void {
    const { wire, createdAt: now } = job;
    const submission = countOf(counts, job);
    submission.applied += 1;
    submission.upstreamIds.push(job.id);
    submission.inputs.push(...job.inputs);
    jobs.set(wire, (jobs.get(wire) ?? new Map<string, MediaJob>()).set(job.id, job));
    const open = [...(unfinished.get(wire) ?? []).filter((other) => endOf(other) > now), job];
    unfinished.set(wire, open);
    maxRunning.set(wire, Math.max(maxRunning.get(wire) ?? 0, open.filter((other) => startOf(other) <= now).length));
  }

  function close(job: MediaJob, isCanceled: boolean): void {
    const others = unfinished.get(job.wire)?.filter(({ id }) => id !== job.id);
    unfinished.set(job.wire, others ?? []);
    if (isCanceled) countOf(counts, job).canceled += 1;
  }

  function cancel(wire: string, id: string, at: number): void {
    const job = jobs.get(wire)?.get(id);
    if (job === undefined || endOf(job) <= at) return;
    close(job, true);
    jobs.get(wire)?.set(id, { ...job, canceledAt: at });
  }

  function remove(wire: string, id: string, canceled: boolean): void {
    const job = jobs.get(wire)?.get(id);
    if (job === undefined) return;
    close(job, canceled);
    jobs.get(wire)?.delete(id);
  }

  function apply(event: JournalEvent): void {
    switch (event.type) {
      case 'accepted':
        return accept(event.job);
      case 'refused':
        countOf(counts, event).refused += 1;
        return;
      case 'fault':
        return increment(faults, keyOf(event.wire, event.subject, event.word));
      case 'canceled':
        return cancel(event.wire, event.jobId, event.at);
      case 'removed':
        return remove(event.wire, event.jobId, event.canceled);
    }
  }

  return { jobs, unfinished, maxRunning, counts, faults, apply };
}

/** Jobs and counters of all vendor APIs. Every change is written to the journal first. */
export function createJobLedger(journal: Journal) {
  const { jobs, unfinished, maxRunning, counts, faults, apply } = createLedgerState();

  function record(event: JournalEvent): void {
    journal.append(event);
    apply(event);
  }

  /** Returns how often `consumeFault` has returned true. */
  function faultCount(wire: string, subject: string, word: string): number {
    return faults.get(keyOf(wire, subject, word)) ?? 0;
  }

  for (const event of journal.events) apply(event);
  return {
    accept: (job: MediaJob) => record({ type: 'accepted', job }),
    refuse: ({ wire, task, prompt }: Refusal) => record({ type: 'refused', wire, task, prompt }),
    /**
     * Returns true, and records it, for the first `times` calls with this subject and directive.
     * @param subject a job id, or a task name for directives on submissions.
     */
    consumeFault(wire: string, subject: string, word: string, times: number): boolean {
      if (faultCount(wire, subject, word) >= times) return false;
      record({ type: 'fault', wire, subject, word });
      return true;
    },
    faults: faultCount,
    /** Cancels an unfinished job. Polls still find it, with `canceledAt` set. */
    cancel: ({ wire, id }: MediaJob, now: number) => record({ type: 'canceled', wire, jobId: id, at: now }),
    remove: ({ wire, id }: MediaJob, canceled: boolean) => record({ type: 'removed', wire, jobId: id, canceled }),
    find: (wire: string, id: string) => jobs.get(wire)?.get(id),
    /** Returns the jobs of a vendor API, oldest first. */
    jobs: (wire: string) => [...(jobs.get(wire)?.values() ?? [])],
    /** Returns the queued and running jobs of a vendor API. */
    unfinished: (wire: string, now: number) => (unfinished.get(wire) ?? []).filter((job) => endOf(job) > now),
    /** One entry per vendor API and task, ordered by first submission. */
    submissions: (wire?: string) => [...counts.values()].filter((count) => wire === undefined || count.wire === wire),
    /** Peak number of concurrently running jobs, keyed by vendor API. */
    maxRunning: (): Record<string, number> => Object.fromEntries(maxRunning),
  };
}

export type JobLedger = ReturnType<typeof createJobLedger>;
