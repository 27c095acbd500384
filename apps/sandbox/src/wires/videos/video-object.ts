import { jobState, type VideoJob } from '../../jobs/video-job.ts';

/** A job as the videos wire shows it. Times are Unix seconds. */
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
  remixed_from_video_id: null;
  error: { code: string; message: string } | null;
}

const FAILURE = { code: 'video_generation_failed', message: 'The video could not be generated.' };

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Encodes a job as it stands at a time (Unix milliseconds). */
export function videoObject(job: VideoJob, now: number): VideoObject {
  const state = jobState(job, now);
  return {
    id: job.id,
    object: 'video',
    model: job.model,
    status: state.status,
    progress: state.progress,
    created_at: toSeconds(job.createdAt),
    completed_at: state.status === 'completed' ? toSeconds(state.completedAt) : null,
    expires_at: state.status === 'completed' ? toSeconds(state.expiresAt) : null,
    seconds: job.seconds,
    size: `${job.width}x${job.height}`,
    prompt: job.prompt,
    remixed_from_video_id: null,
    error: state.status === 'failed' ? FAILURE : null,
  };
}
