import { jobState, type MediaJob, unixSeconds } from '../../jobs/media-job.ts';
import { hasDirective } from '../../directives/media-directives.ts';

const CONTENT_MS = 24 * 3600 * 1000;

const FAILURES = {
  error: { code: 'video_generation_failed', message: 'The video could not be generated.' },
  moderation: { code: 'moderation_blocked', message: 'The video was blocked by our moderation system.' },
};

export function contentExpiry(job: MediaJob, completedAt: number): number {
  return completedAt + (hasDirective(job.prompt, 'expire') ? 0 : CONTENT_MS);
}

export function videoObject(job: MediaJob, now: number) {
  const state = jobState(job, now);
  return {
    id: job.id,
    object: 'video',
    model: job.model,
    status: state.status,
    progress: state.progress,
    created_at: unixSeconds(job.createdAt),
    completed_at: state.status === 'completed' ? unixSeconds(state.completedAt) : null,
    expires_at: state.status === 'completed' ? unixSeconds(contentExpiry(job, state.completedAt)) : null,
    seconds: String(job.seconds),
    size: `${job.width}x${job.height}`,
    prompt: job.prompt,
    remixed_from_video_id: job.path ?? null,
    error: state.status === 'failed' ? FAILURES[state.cause] : null,
  };
}
