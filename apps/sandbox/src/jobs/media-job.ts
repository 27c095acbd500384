import { z } from 'zod';
import { hasDirective } from '../directives/media-directives.ts';
import { isObject } from '../schema/json.ts';

/** An image sent with a submission: its size and type, or its reference. */
const JobInputSchema = z.object({
  field: z.string(),
  filename: z.string().optional(),
  mediaType: z.string().optional(),
  bytes: z.number().optional(),
  sha256: z.string().optional(),
  /** A URL or file id, which is never fetched. */
  reference: z.string().optional(),
});

export type JobInput = z.output<typeof JobInputSchema>;

/** In old journals, the field `requestFields` is named `asked`, and its field `returned` is named `told`. */
function withCurrentNames(job: unknown): unknown {
  if (!isObject(job)) return job;
  const { asked, ...rest } = job;
  if (!isObject(asked)) return job;
  const { told, ...fields } = asked;
  return { ...rest, requestFields: told === undefined ? fields : { ...fields, returned: told } };
}

/**
 * An accepted job. Its state follows from these fields and the current time; only a cancellation changes them. The
 * defaults are for journals that were written when `videos` was the only vendor API.
 */
const JobSchema = z.object({
  id: z.string(),
  wire: z.string().default('videos'),
  kind: z.enum(['video', 'image']).default('video'),
  /** The client's `x-client-request-id` header, or the prompt if the client did not send the header. */
  task: z.string(),
  /** The client's id for the job, such as Kling's `external_task_id`. */
  reference: z.string().optional(),
  /** Data specific to the vendor API, such as the path of the submission. */
  path: z.string().optional(),
  /** Request fields that polls return, under the vendor's field names. */
  requestFields: z.record(z.string(), z.unknown()).optional(),
  model: z.string(),
  prompt: z.string(),
  /** In seconds; 0 for images. */
  seconds: z.coerce.number(),
  width: z.number(),
  height: z.number(),
  count: z.number().default(1),
  seed: z.number().optional(),
  createdAt: z.number(),
  /** If omitted, `createdAt` applies. */
  startsAt: z.number().optional(),
  /** Polls and lists do not find the job until this time. */
  visibleAt: z.number().optional(),
  renderMs: z.number(),
  canceledAt: z.number().optional(),
  inputs: z.array(JobInputSchema),
});

export const MediaJobSchema = z.preprocess(withCurrentNames, JobSchema);

export type MediaJob = z.output<typeof MediaJobSchema>;

/** Times are in Unix milliseconds; progress is an integer percentage. */
export type JobState =
  | { status: 'queued' | 'in_progress'; progress: number }
  | {
      status: 'completed';
      progress: 100;
      completedAt: number;
      /** Indexes of the generated outputs. `[partial]` and `[nothing]` leave out some or all of them. */
      outputs: number[];
    }
  | { status: 'failed'; progress: number; completedAt: number; cause: 'error' | 'moderation' };

const QUEUED_SHARE = 0.1;
const STALLED_SHARE = 0.5;

export function startOf(job: MediaJob): number {
  return job.startsAt ?? job.createdAt;
}

/** Returns the end time in Unix milliseconds. A stalled job never ends. */
export function endOf(job: MediaJob): number {
  if (job.canceledAt !== undefined) return job.canceledAt;
  if (hasDirective(job.prompt, 'stall')) return Number.MAX_SAFE_INTEGER;
  return Math.min(Number.MAX_SAFE_INTEGER, startOf(job) + job.renderMs);
}

/** Returns when the job reached its current state, in Unix milliseconds. */
export function changedAt(job: MediaJob, now: number): number {
  const { status } = jobState(job, now);
  if (status === 'queued') return job.createdAt;
  return status === 'in_progress' ? startOf(job) : endOf(job);
}

/** Returns the vendor's name for the job's status. */
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
 * The state depends only on the job and the current time, so it survives restarts. A canceled job is reported as
 * failed. Vendor APIs with a separate canceled status check `canceledAt` first.
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
  // If the vendor moderates prompts at submission, a job with `[moderation]` does not exist.
  if (hasDirective(job.prompt, 'moderatedOutput') || hasDirective(job.prompt, 'moderation'))
    return { status: 'failed', progress: 99, completedAt, cause: 'moderation' };
  return { status: 'completed', progress: 100, completedAt, outputs: outputsOf(job) };
}
