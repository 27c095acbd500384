import { z } from 'zod';
import { hasDirective } from '../directives/media-directives.ts';
import { WireSchema } from './wire.ts';

/** A picture that came with a submission: what was measured of its bytes, or where it is said to be. */
const JobInputSchema = z.object({
  field: z.string(),
  filename: z.string().optional(),
  mediaType: z.string().optional(),
  bytes: z.number().optional(),
  /** In hexadecimal. */
  sha256: z.string().optional(),
  /** A URL or file id, when no bytes came. It is never fetched. */
  reference: z.string().optional(),
});

/** See {@link JobInputSchema}. */
export type JobInput = z.output<typeof JobInputSchema>;

/**
 * A film or some pictures that a stand-in vendor has accepted to make. Nothing but a cancellation changes it: its state
 * follows from it and the time. The defaults read journals that were written before there were other wires than `videos`.
 */
export const MediaJobSchema = z.object({
  /** Unique on its wire. */
  id: z.string(),
  wire: WireSchema.default('videos'),
  kind: z.enum(['video', 'image']).default('video'),
  /** Whom it was made for: the caller's `x-client-request-id`, else the prompt. */
  task: z.string(),
  /** The caller's own name for the job, on wires that have one: `external_task_id` at Kling, `payload` at Vidu. */
  reference: z.string().optional(),
  /** What the wire must remember besides, such as the path that it was submitted to. */
  path: z.string().optional(),
  /** Fields of the request that the wire tells again, by its own names. */
  asked: z.record(z.string(), z.unknown()).optional(),
  model: z.string(),
  prompt: z.string(),
  /** Duration; 0 for pictures. */
  seconds: z.coerce.number(),
  width: z.number(),
  height: z.number(),
  /** How many films or pictures. */
  count: z.number().default(1),
  seed: z.number().optional(),
  /** Unix milliseconds. */
  createdAt: z.number(),
  /** When the vendor begins with it, in Unix milliseconds; absent: when it was created. */
  startsAt: z.number().optional(),
  /** Until then polls and look-ups do not find it, in Unix milliseconds; absent: found at once. */
  visibleAt: z.number().optional(),
  /** How long it renders, in milliseconds. */
  renderMs: z.number(),
  /** When it was canceled, in Unix milliseconds, on wires that tell so; absent: it was not. */
  canceledAt: z.number().optional(),
  inputs: z.array(JobInputSchema),
});

/** See {@link MediaJobSchema}. */
export type MediaJob = z.output<typeof MediaJobSchema>;

/** What has become of a job. Times are Unix milliseconds, progress a whole percentage. */
export type JobState =
  | { status: 'queued' | 'in_progress'; progress: number }
  | {
      status: 'completed';
      progress: 100;
      completedAt: number;
      /** Which of the `count` outputs were made, by index: all, but for `[partial]` and `[nothing]`. */
      outputs: number[];
    }
  | { status: 'failed'; progress: number; completedAt: number; cause: 'error' | 'moderation' };

/** Share of the rendering time that a job waits in the queue. */
const QUEUED_SHARE = 0.1;
/** Where a stalled job stands still. */
const STALLED_SHARE = 0.5;

/** When the vendor begins with a job, in Unix milliseconds. */
export function startOf(job: MediaJob): number {
  return job.startsAt ?? job.createdAt;
}

/** When a job ends, in Unix milliseconds; one that stalls ends at the end of time. */
export function endOf(job: MediaJob): number {
  if (job.canceledAt !== undefined) return job.canceledAt;
  if (hasDirective(job.prompt, 'stall')) return Number.MAX_SAFE_INTEGER;
  return Math.min(Number.MAX_SAFE_INTEGER, startOf(job) + job.renderMs);
}

/** Tells whether polls and look-ups find a job yet. */
export function isVisible(job: MediaJob, now: number): boolean {
  return job.visibleAt === undefined || now >= job.visibleAt;
}

function outputsOf({ prompt, count }: MediaJob): number[] {
  if (hasDirective(prompt, 'nothing')) return [];
  const all = Array.from({ length: count }, (_, index) => index);
  return count > 1 && hasDirective(prompt, 'partial') ? all.slice(0, -1) : all;
}

/**
 * The state of a job at a time: nothing else decides it, so a restart changes nothing. A canceled job has failed; wires
 * that tell it apart look at `canceledAt` first.
 */
export function jobState(job: MediaJob, now: number): JobState {
  if (job.canceledAt !== undefined) {
    return { status: 'failed', progress: 0, completedAt: job.canceledAt, cause: 'error' };
  }
  const elapsed = now - startOf(job);
  if (elapsed < 0) return { status: 'queued', progress: 0 };
  const whole = job.renderMs === 0 ? 1 : Math.min(1, elapsed / job.renderMs);
  const share = hasDirective(job.prompt, 'stall') ? Math.min(whole, STALLED_SHARE) : whole;
  if (share < QUEUED_SHARE) return { status: 'queued', progress: 0 };
  if (share < 1) return { status: 'in_progress', progress: Math.floor(share * 100) };
  const completedAt = endOf(job);
  if (hasDirective(job.prompt, 'fail')) return { status: 'failed', progress: 99, completedAt, cause: 'error' };
  // A job whose prompt offends is there only where the vendor audits it late.
  if (hasDirective(job.prompt, 'moderatedOutput') || hasDirective(job.prompt, 'moderation'))
    return { status: 'failed', progress: 99, completedAt, cause: 'moderation' };
  return { status: 'completed', progress: 100, completedAt, outputs: outputsOf(job) };
}
