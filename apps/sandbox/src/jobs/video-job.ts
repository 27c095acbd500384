import { z } from 'zod';
import { hasWord } from '../prompt-words.ts';

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

/** A video that the stand-in vendor has accepted. Never changes: its state follows from it and the time. */
export const VideoJobSchema = z.object({
  id: z.string(),
  /** Whom it was made for: the caller's `x-client-request-id`, else the prompt. */
  task: z.string(),
  model: z.string(),
  prompt: z.string(),
  /** Duration in seconds, as text. */
  seconds: z.string(),
  width: z.number(),
  height: z.number(),
  /** Unix milliseconds. */
  createdAt: z.number(),
  /** How long it renders, in milliseconds. */
  renderMs: z.number(),
  inputs: z.array(JobInputSchema),
});

/** See {@link VideoJobSchema}. */
export type VideoJob = z.output<typeof VideoJobSchema>;

/** What has become of a job. Times are Unix milliseconds, progress a whole percentage. */
export type JobState =
  | { status: 'queued' | 'in_progress'; progress: number }
  | { status: 'completed'; progress: 100; completedAt: number; expiresAt: number }
  | { status: 'failed'; progress: number; completedAt: number };

/** Share of the rendering time that a job waits in the queue. */
const QUEUED_SHARE = 0.1;
/** Where a stalled job stands still. */
const STALLED_SHARE = 0.5;
/** Content is kept for a day, as the vendor does. */
const CONTENT_MS = 24 * 3600 * 1000;

/** The state of a job at a time: nothing else decides it, so a restart changes nothing. */
export function jobState(job: VideoJob, now: number): JobState {
  const elapsed = Math.max(0, now - job.createdAt);
  const stalls = hasWord(job.prompt, 'stall');
  const whole = job.renderMs === 0 ? 1 : Math.min(1, elapsed / job.renderMs);
  const share = stalls ? Math.min(whole, STALLED_SHARE) : whole;
  if (share < QUEUED_SHARE) return { status: 'queued', progress: 0 };
  if (share < 1) return { status: 'in_progress', progress: Math.floor(share * 100) };
  const completedAt = job.createdAt + job.renderMs;
  if (hasWord(job.prompt, 'fail')) return { status: 'failed', progress: 99, completedAt };
  const expiresAt = completedAt + (hasWord(job.prompt, 'expire') ? 0 : CONTENT_MS);
  return { status: 'completed', progress: 100, completedAt, expiresAt };
}
