import type { Journal, JournalEvent } from './journal.ts';
import { endOf, type JobInput, type MediaJob, startOf } from './media-job.ts';

interface SubmissionCount {
  wire: string;
  task: string;
  prompt: string;
  applied: number;
  refused: number;
  canceled: number;
  /** Ids of the accepted jobs, including deleted ones. */
  upstreamIds: string[];
  inputs: JobInput[];
}

interface Refusal {
  wire: string;
  task: string;
  prompt: string;
}

/** Jobs and counters of all wires. Every change goes to the journal first. */
export interface JobLedger {
  accept(job: MediaJob): void;
  refuse(refusal: Refusal): void;
  /**
   * Returns true, and counts it, for the first `times` calls with this subject and directive.
   * @param subject a job id, or a task name for directives on submissions.
   */
  consumeFault(wire: string, subject: string, word: string, times: number): boolean;
  /** How often {@link JobLedger.consumeFault} returned true. */
  faults(wire: string, subject: string, word: string): number;
  /** Cancels an unfinished job. It remains findable, with `canceledAt` set. */
  cancel(job: MediaJob, now: number): void;
  remove(job: MediaJob, canceled: boolean): void;
  find(wire: string, id: string): MediaJob | undefined;
  /** Oldest first. */
  jobs(wire: string): MediaJob[];
  /** Includes jobs that have not started. */
  unfinished(wire: string, now: number): MediaJob[];
  /** By wire and task, in order of first submission. */
  submissions(wire?: string): SubmissionCount[];
  /** Peak number of concurrently running jobs per wire. */
  maxRunning(): Record<string, number>;
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

export function createJobLedger(journal: Journal): JobLedger {
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

  function record(event: JournalEvent): void {
    journal.append(event);
    apply(event);
  }

  const fired: JobLedger['faults'] = (wire, subject, word) => faults.get(keyOf(wire, subject, word)) ?? 0;
  for (const event of journal.events) apply(event);
  return {
    accept: (job) => record({ type: 'accepted', job }),
    refuse: ({ wire, task, prompt }) => record({ type: 'refused', wire, task, prompt }),
    consumeFault(wire, subject, word, times) {
      if (fired(wire, subject, word) >= times) return false;
      record({ type: 'fault', wire, subject, word });
      return true;
    },
    faults: fired,
    cancel: ({ wire, id }, now) => record({ type: 'canceled', wire, jobId: id, at: now }),
    remove: ({ wire, id }, canceled) => record({ type: 'removed', wire, jobId: id, canceled }),
    find: (wire, id) => jobs.get(wire)?.get(id),
    jobs: (wire) => [...(jobs.get(wire)?.values() ?? [])],
    unfinished: (wire, now) => (unfinished.get(wire) ?? []).filter((job) => endOf(job) > now),
    submissions: (wire) => [...counts.values()].filter((count) => wire === undefined || count.wire === wire),
    maxRunning: () => Object.fromEntries(maxRunning),
  };
}
