import { z } from 'zod';
import { hasDirective } from '../directives/media-directives.ts';

/** An image sent with a submission: its measurements, or its reference. */
const JobInputSchema = z.object({
  field: z.string(),
  filename: z.string().optional(),
  mediaType: z.string().optional(),
  bytes: z.number().optional(),
  sha256: z.string().optional(),
  /** A URL or file id. It is never fetched. */
  reference: z.string().optional(),
});

export type JobInput = z.output<typeof JobInputSchema>;

/**
 * An accepted job. Its state follows from these fields and the time; only a cancellation changes it. The defaults read
 * journals from before there were wires other than `videos`.
 */
export const MediaJobSchema = z.object({
  id: z.string(),
  wire: z.string().default('videos'),
  kind: z.enum(['video', 'image']).default('video'),
  /** The client's `x-client-request-id`, or else the prompt. */
  task: z.string(),
  /** The client's name for the job, such as Kling's `external_task_id`. */
  reference: z.string().optional(),
  /** Wire-specific data, such as the path it was submitted to. */
  path: z.string().optional(),
  /** Request fields that the wire returns, under its own names. */
  asked: z.record(z.string(), z.unknown()).optional(),
  model: z.string(),
  prompt: z.string(),
  /** 0 for images. */
  seconds: z.coerce.number(),
  width: z.number(),
  height: z.number(),
  count: z.number().default(1),
  seed: z.number().optional(),
  createdAt: z.number(),
  /** Absent: `createdAt`. */
  startsAt: z.number().optional(),
  /** Polls and lists do not find the job before this time. */
  visibleAt: z.number().optional(),
  renderMs: z.number(),
  canceledAt: z.number().optional(),
  inputs: z.array(JobInputSchema),
});

export type MediaJob = z.output<typeof MediaJobSchema>;

/** Times are Unix milliseconds, progress is a whole percentage. */
export type JobState =
  | { status: 'queued' | 'in_progress'; progress: number }
  | {
      status: 'completed';
      progress: 100;
      completedAt: number;
      /** Indices of the finished outputs: all, except with `[partial]` and `[nothing]`. */
      outputs: number[];
    }
  | { status: 'failed'; progress: number; completedAt: number; cause: 'error' | 'moderation' };

const QUEUED_SHARE = 0.1;
const STALLED_SHARE = 0.5;

export function startOf(job: MediaJob): number {
  return job.startsAt ?? job.createdAt;
}

/** Unix milliseconds. A stalled job never ends. */
export function endOf(job: MediaJob): number {
  if (job.canceledAt !== undefined) return job.canceledAt;
  if (hasDirective(job.prompt, 'stall')) return Number.MAX_SAFE_INTEGER;
  return Math.min(Number.MAX_SAFE_INTEGER, startOf(job) + job.renderMs);
}

/** When the job reached its current state, in Unix milliseconds. */
export function changedAt(job: MediaJob, now: number): number {
  const { status } = jobState(job, now);
  if (status === 'queued') return job.createdAt;
  return status === 'in_progress' ? startOf(job) : endOf(job);
}

/** The vendor's name of the job's status. */
export function statusName<Name>(
  job: MediaJob,
  now: number,
  names: Readonly<Record<JobState['status'] | 'canceled', Name>>,
): Name {
  return names[job.canceledAt === undefined ? jobState(job, now).status : 'canceled'];
}

export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

export function isVisible(job: MediaJob, now: number): boolean {
  return job.visibleAt === undefined || now >= job.visibleAt;
}

function outputsOf({ prompt, count }: MediaJob): number[] {
  if (hasDirective(prompt, 'nothing')) return [];
  const all = Array.from({ length: count }, (_, index) => index);
  return count > 1 && hasDirective(prompt, 'partial') ? all.slice(0, -1) : all;
}

/**
 * Depends on the job and the time alone, so a restart changes nothing. A canceled job counts as failed; wires that tell
 * them apart check `canceledAt` first.
 */
export function jobState(job: MediaJob, now: number): JobState {
  if (job.canceledAt !== undefined) {
    return { status: 'failed', progress: 0, completedAt: job.canceledAt, cause: 'error' };
  }
  const elapsed = now - startOf(job);
  if (elapsed < 0) return { status: 'queued', progress: 0 };
  const fraction = job.renderMs === 0 ? 1 : Math.min(1, elapsed / job.renderMs);
  const share = hasDirective(job.prompt, 'stall') ? Math.min(fraction, STALLED_SHARE) : fraction;
  if (share < QUEUED_SHARE) return { status: 'queued', progress: 0 };
  if (share < 1) return { status: 'in_progress', progress: Math.floor(share * 100) };
  const completedAt = endOf(job);
  if (hasDirective(job.prompt, 'fail')) return { status: 'failed', progress: 99, completedAt, cause: 'error' };
  // Wires that moderate prompts at submission never have such a job.
  if (hasDirective(job.prompt, 'moderatedOutput') || hasDirective(job.prompt, 'moderation'))
    return { status: 'failed', progress: 99, completedAt, cause: 'moderation' };
  return { status: 'completed', progress: 100, completedAt, outputs: outputsOf(job) };
}
