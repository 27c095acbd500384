import { jobState, type MediaJob, startOf } from '../../jobs/media-job.ts';

/** Where a prediction's calls and files are. */
export interface PredictionUrls {
  /** `https://api.replicate.com/v1` as the caller has reached it. */
  base: string;
  /** Signed URLs of the outputs with these indexes. */
  files: (outputs: number[]) => string[];
}

/** Replicate's words for what has become of a job. */
type PredictionStatus = 'starting' | 'processing' | 'succeeded' | 'failed' | 'canceled';

function statusOf(job: MediaJob, now: number): PredictionStatus {
  if (job.canceledAt !== undefined) return 'canceled';
  switch (jobState(job, now).status) {
    case 'queued':
      return 'starting';
    case 'in_progress':
      return 'processing';
    case 'completed':
      return 'succeeded';
    case 'failed':
      return 'failed';
  }
}

/** A model's own words, as Replicate passes them on. */
function errorOf(job: MediaJob, now: number): string | null {
  const state = jobState(job, now);
  if (state.status !== 'failed' || job.canceledAt !== undefined) return null;
  return state.cause === 'moderation'
    ? 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)'
    : 'Prediction failed: CUDA error on the worker.';
}

/** A film is one URL, pictures are a list of them (Replicate docs: whatever the model gives). */
function outputOf(job: MediaJob, now: number, { files }: PredictionUrls): string | string[] | null {
  const state = jobState(job, now);
  if (state.status !== 'completed') return null;
  if (job.kind === 'image') return state.outputs.length === 0 ? [] : files(state.outputs);
  return state.outputs.length === 0 ? null : (files(state.outputs)[0] ?? null);
}

function time(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

/** Spells a job as a prediction (Replicate docs, "The prediction object"). */
export function prediction(job: MediaJob, now: number, places: PredictionUrls): object {
  const status = statusOf(job, now);
  const ended = ['succeeded', 'failed', 'canceled'].includes(status);
  const state = jobState(job, now);
  const endedAt = 'completedAt' in state ? state.completedAt : undefined;
  return {
    id: job.id,
    model: job.model,
    version: job.path,
    input: job.asked ?? {},
    logs: '',
    output: outputOf(job, now, places),
    data_removed: false,
    error: errorOf(job, now),
    source: 'api',
    status,
    created_at: time(job.createdAt),
    started_at: status === 'starting' ? null : time(startOf(job)),
    completed_at: ended ? time(endedAt) : null,
    ...(ended && endedAt !== undefined && { metrics: { predict_time: (endedAt - startOf(job)) / 1000 } }),
    urls: {
      get: `${places.base}/predictions/${job.id}`,
      cancel: `${places.base}/predictions/${job.id}/cancel`,
      web: `https://replicate.com/p/${job.id}`,
    },
  };
}
