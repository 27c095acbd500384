import { jobState, type MediaJob } from '../../jobs/media-job.ts';
import { hasDirective } from '../../directives/media-directives.ts';

export interface VideoObject {
  id: string;
  object: 'video';
  model: string;
  status: 'queued' | 'in_progress' | 'completed' | 'failed';
  progress: number;
  created_at: number;
  completed_at: number | null;
  expires_at: number | null;
  seconds: string;
  size: string;
  prompt: string;
  remixed_from_video_id: string | null;
  error: { code: string; message: string } | null;
}

const CONTENT_MS = 24 * 3600 * 1000;

const FAILURES = {
  error: { code: 'video_generation_failed', message: 'The video could not be generated.' },
  moderation: { code: 'moderation_blocked', message: 'The video was blocked by our moderation system.' },
};

/** Unix milliseconds; with `[expire]`, the time of completion. */
export function contentExpiry(job: MediaJob, completedAt: number): number {
  return completedAt + (hasDirective(job.prompt, 'expire') ? 0 : CONTENT_MS);
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

export function videoObject(job: MediaJob, now: number): VideoObject {
  const state = jobState(job, now);
  return {
    id: job.id,
    object: 'video',
    model: job.model,
    status: state.status,
    progress: state.progress,
    created_at: toSeconds(job.createdAt),
    completed_at: state.status === 'completed' ? toSeconds(state.completedAt) : null,
    expires_at: state.status === 'completed' ? toSeconds(contentExpiry(job, state.completedAt)) : null,
    seconds: String(job.seconds),
    size: `${job.width}x${job.height}`,
    prompt: job.prompt,
    remixed_from_video_id: job.path ?? null,
    error: state.status === 'failed' ? FAILURES[state.cause] : null,
  };
}
