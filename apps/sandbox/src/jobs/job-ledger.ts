import type { Journal, JournalEvent } from './journal.ts';
import { endOf, type JobInput, type MediaJob, startOf } from './media-job.ts';
import type { Wire } from './wire.ts';

/** How often one task was submitted to a wire, and what came of it. */
interface SubmissionCount {
  wire: Wire;
  task: string;
  prompt: string;
  /** Submissions that the vendor accepted. */
  applied: number;
  /** Submissions that it definitely refused. */
  refused: number;
  /** Jobs that were canceled before they had ended. */
  canceled: number;
  /** Ids of the accepted jobs, deleted ones included. */
  upstreamIds: string[];
  /** The pictures that came with the accepted submissions. */
  inputs: JobInput[];
}

/** A submission that a vendor refused. */
interface Refusal {
  wire: Wire;
  task: string;
  prompt: string;
}

/** What the stand-in vendors know: jobs and counts, kept in memory and written to the journal first. */
export interface JobLedger {
  /** Records an accepted job. */
  accept(job: MediaJob): void;
  /** Records a refusal. */
  refuse(refusal: Refusal): void;
  /**
   * Answers true, and counts it, for the first `times` calls with this subject and word.
   * @param subject a job's id; a task's name for words that hit submissions.
   */
  consumeFault(wire: Wire, subject: string, word: string, times: number): boolean;
  /** How often {@link JobLedger.consumeFault} has answered true. */
  faults(wire: Wire, subject: string, word: string): number;
  /** Ends a job that has not ended; it is still found, with the time as its `canceledAt` (Unix milliseconds). */
  cancel(job: MediaJob, now: number): void;
  /** Removes a job for good. */
  remove(job: MediaJob, canceled: boolean): void;
  find(wire: Wire, id: string): MediaJob | undefined;
  /** All jobs of a wire, oldest first. */
  jobs(wire: Wire): MediaJob[];
  /** The jobs of a wire that have not ended at a time, those included that have not begun. */
  unfinished(wire: Wire, now: number): MediaJob[];
  /** By wire and task, in order of their first submission; of one wire alone when it is named. */
  submissions(wire?: Wire): SubmissionCount[];
  /** The most jobs of each wire that were running at one time. */
  maxRunning(): Partial<Record<Wire, number>>;
}

function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}

/** Builds the ledger from what the journal tells; from then on each change is in the journal before it counts. */
export function createJobLedger(journal: Journal): JobLedger {
  const jobs = new Map<Wire, Map<string, MediaJob>>();
  /** Those that had not ended when the latest was accepted. */
  const unfinished = new Map<Wire, MediaJob[]>();
  const maxRunning = new Map<Wire, number>();
  const counts = new Map<string, SubmissionCount>();
  const faults = new Map<string, number>();

  function countOf({ wire, task, prompt }: Refusal): SubmissionCount {
    const known = counts.get(keyOf(wire, task));
    if (known !== undefined) return known;
    const fresh = { wire, task, prompt, applied: 0, refused: 0, canceled: 0, upstreamIds: [], inputs: [] };
    counts.set(keyOf(wire, task), fresh);
    return fresh;
  }

  function accept(job: MediaJob): void {
    const { wire, createdAt: now } = job;
    const submission = countOf(job);
    submission.applied += 1;
    submission.upstreamIds.push(job.id);
    submission.inputs.push(...job.inputs);
    const known = jobs.get(wire) ?? new Map<string, MediaJob>();
    jobs.set(wire, known.set(job.id, job));
    const open = [...(unfinished.get(wire) ?? []).filter((other) => endOf(other) > now), job];
    unfinished.set(wire, open);
    const running = open.filter((other) => startOf(other) <= now).length;
    maxRunning.set(wire, Math.max(running, maxRunning.get(wire) ?? 0));
  }

  function cancel(wire: Wire, id: string, at: number): void {
    const job = jobs.get(wire)?.get(id);
    if (job === undefined || endOf(job) <= at) return;
    countOf(job).canceled += 1;
    jobs.get(wire)?.set(id, { ...job, canceledAt: at });
    const others = unfinished.get(wire)?.filter((other) => other.id !== id);
    unfinished.set(wire, others ?? []);
  }

  function remove(wire: Wire, id: string, canceled: boolean): void {
    const job = jobs.get(wire)?.get(id);
    if (job === undefined) return;
    if (canceled) countOf(job).canceled += 1;
    jobs.get(wire)?.delete(id);
    const others = unfinished.get(wire)?.filter((other) => other.id !== id);
    unfinished.set(wire, others ?? []);
  }

  function apply(event: JournalEvent): void {
    switch (event.type) {
      case 'accepted':
        return accept(event.job);
      case 'refused':
        countOf(event).refused += 1;
        return;
      case 'fault': {
        const key = keyOf(event.wire, event.subject, event.word);
        faults.set(key, (faults.get(key) ?? 0) + 1);
        return;
      }
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

  const taken: JobLedger['faults'] = (wire, subject, word) => faults.get(keyOf(wire, subject, word)) ?? 0;

  for (const event of journal.events) apply(event);

  return {
    accept: (job) => record({ type: 'accepted', job }),
    refuse: ({ wire, task, prompt }) => record({ type: 'refused', wire, task, prompt }),
    consumeFault(wire, subject, word, times) {
      if (taken(wire, subject, word) >= times) return false;
      record({ type: 'fault', wire, subject, word });
      return true;
    },
    faults: taken,
    cancel: ({ wire, id }, now) => record({ type: 'canceled', wire, jobId: id, at: now }),
    remove: ({ wire, id }, canceled) => record({ type: 'removed', wire, jobId: id, canceled }),
    find: (wire, id) => jobs.get(wire)?.get(id),
    jobs: (wire) => [...(jobs.get(wire)?.values() ?? [])],
    unfinished: (wire, now) => (unfinished.get(wire) ?? []).filter((job) => endOf(job) > now),
    submissions: (wire) => [...counts.values()].filter((count) => wire === undefined || count.wire === wire),
    maxRunning: () => Object.fromEntries(maxRunning),
  };
}
