import { jobState, type MediaJob, startOf, statusName } from '../../jobs/media-job.ts';

export interface PredictionUrls {
  /** The URL that the client used as `https://api.replicate.com/v1`. */
  base: string;
  files: (outputs: number[]) => string[];
}

const STATUSES = {
  queued: 'starting',
  in_progress: 'processing',
  completed: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

function errorOf(job: MediaJob, now: number): string | null {
  const state = jobState(job, now);
  if (state.status !== 'failed' || job.canceledAt !== undefined) return null;
  return state.cause === 'moderation'
    ? 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)'
    : 'Prediction failed: CUDA error on the worker.';
}

/** Formats the output: one URL for a video, or a list for images. Replicate docs: the format depends on the model. */
function outputOf(job: MediaJob, now: number, { files }: PredictionUrls): string | string[] | null {
  const state = jobState(job, now);
  if (state.status !== 'completed') return null;
  const urls = files(state.outputs);
  return job.kind === 'image' ? urls : (urls[0] ?? null);
}

function time(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

/** Formats a prediction (Replicate docs, "The prediction object"). */
export function prediction(job: MediaJob, now: number, urls: PredictionUrls): object {
  const status = statusName(job, now, STATUSES);
  const state = jobState(job, now);
  const endedAt = 'completedAt' in state ? state.completedAt : undefined;
  return {
    id: job.id,
    model: job.model,
    version: job.path,
    input: job.requestFields ?? {},
    logs: '',
    output: outputOf(job, now, urls),
    data_removed: false,
    error: errorOf(job, now),
    source: 'api',
    status,
    created_at: time(job.createdAt),
    started_at: status === 'starting' ? null : time(startOf(job)),
    completed_at: time(endedAt),
    metrics: endedAt === undefined ? undefined : { predict_time: (endedAt - startOf(job)) / 1000 },
    urls: {
      get: `${urls.base}/predictions/${job.id}`,
      cancel: `${urls.base}/predictions/${job.id}/cancel`,
      web: `https://replicate.com/p/${job.id}`,
    },
  };
}
