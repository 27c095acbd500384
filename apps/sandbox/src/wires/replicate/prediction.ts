import { jobState, type MediaJob, startOf } from '../../jobs/media-job.ts';

export interface PredictionUrls {
  /** `https://api.replicate.com/v1` as the client reached it. */
  base: string;
  files: (outputs: number[]) => string[];
}

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

function errorOf(job: MediaJob, now: number): string | null {
  const state = jobState(job, now);
  if (state.status !== 'failed' || job.canceledAt !== undefined) return null;
  return state.cause === 'moderation'
    ? 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)'
    : 'Prediction failed: CUDA error on the worker.';
}

/** A video is one URL, images are a list (Replicate docs: whatever the model returns). */
function outputOf(job: MediaJob, now: number, { files }: PredictionUrls): string | string[] | null {
  const state = jobState(job, now);
  if (state.status !== 'completed') return null;
  const urls = files(state.outputs);
  return job.kind === 'image' ? urls : (urls[0] ?? null);
}

function time(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

/** Replicate docs, "The prediction object". */
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
