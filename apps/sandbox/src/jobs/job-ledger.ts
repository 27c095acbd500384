import type { Journal, JournalEvent } from './journal.ts';
import type { JobInput, VideoJob } from './video-job.ts';

/** How often one task was submitted, and what came of it. */
interface SubmissionCount {
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

/** A submission that the vendor refused. */
interface Refusal {
  task: string;
  prompt: string;
  /** The error code of the answer. */
  reason: string;
}

/** What the stand-in vendor knows: jobs and counts, kept in memory and written to the journal first. */
export interface JobLedger {
  /** Records an accepted job. */
  accept(job: VideoJob): void;
  /** Records a refusal. */
  refuse(refusal: Refusal): void;
  /** How often a task's submissions were refused for this reason. */
  refusals(task: string, reason: string): number;
  /** Answers true, and counts it, for the first `times` calls with this job and word. */
  takeFault(jobId: string, word: string, times: number): boolean;
  /** How often {@link JobLedger.takeFault} has answered true. */
  faults(jobId: string, word: string): number;
  /** Removes a job for good. */
  remove(jobId: string, canceled: boolean): void;
  find(jobId: string): VideoJob | undefined;
  /** All jobs, oldest first. */
  jobs(): VideoJob[];
  /** By task, in order of their first submission. */
  submissions(): SubmissionCount[];
}

function tallyKey(...parts: string[]): string {
  return JSON.stringify(parts);
}

/** Builds the ledger from what the journal tells; from then on each change is in the journal before it counts. */
export function createJobLedger(journal: Journal): JobLedger {
  const jobs = new Map<string, VideoJob>();
  const counts = new Map<string, SubmissionCount>();
  const tallies = new Map<string, number>();

  const tally = (...parts: string[]): number => tallies.get(tallyKey(...parts)) ?? 0;
  const count = (...parts: string[]): Map<string, number> => tallies.set(tallyKey(...parts), tally(...parts) + 1);

  function countOf(task: string, prompt: string): SubmissionCount {
    const known = counts.get(task);
    if (known !== undefined) return known;
    const fresh = { task, prompt, applied: 0, refused: 0, canceled: 0, upstreamIds: [], inputs: [] };
    counts.set(task, fresh);
    return fresh;
  }

  function apply(event: JournalEvent): void {
    switch (event.type) {
      case 'accepted': {
        const submission = countOf(event.job.task, event.job.prompt);
        submission.applied += 1;
        submission.upstreamIds.push(event.job.id);
        submission.inputs.push(...event.job.inputs);
        jobs.set(event.job.id, event.job);
        return;
      }
      case 'refused':
        countOf(event.task, event.prompt).refused += 1;
        count('refused', event.task, event.reason);
        return;
      case 'fault':
        count('fault', event.jobId, event.word);
        return;
      case 'removed': {
        const job = jobs.get(event.jobId);
        if (job !== undefined && event.canceled) countOf(job.task, job.prompt).canceled += 1;
        jobs.delete(event.jobId);
        return;
      }
    }
  }

  function record(event: JournalEvent): void {
    journal.append(event);
    apply(event);
  }

  for (const event of journal.events) apply(event);

  return {
    accept: (job) => record({ type: 'accepted', job }),
    refuse: (refusal) => record({ type: 'refused', ...refusal }),
    refusals: (task, reason) => tally('refused', task, reason),
    takeFault(jobId, word, times) {
      if (tally('fault', jobId, word) >= times) return false;
      record({ type: 'fault', jobId, word });
      return true;
    },
    faults: (jobId, word) => tally('fault', jobId, word),
    remove: (jobId, canceled) => record({ type: 'removed', jobId, canceled }),
    find: (jobId) => jobs.get(jobId),
    jobs: () => [...jobs.values()],
    submissions: () => [...counts.values()],
  };
}
