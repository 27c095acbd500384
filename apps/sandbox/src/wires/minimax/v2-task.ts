import { changedAt, jobState, type MediaJob, statusName, unixSeconds } from '../../jobs/media-job.ts';

/** MiniMax docs, "Query task". In the sandbox, tasks never become `expired`. */
export const V2_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;

const NAMES = {
  queued: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
  canceled: 'cancelled',
} as const;

export function v2Status(job: MediaJob, now: number): (typeof V2_STATUSES)[number] {
  return statusName(job, now, NAMES);
}

const FAILURES = {
  error: { code: '1000', message: 'unknown error' },
  moderation: { code: '1027', message: 'video generated contains sensitive content' },
};

/** @param outputUrls called only if there is a URL to return. */
export function v2Task(job: MediaJob, now: number, outputUrls: () => string | undefined): Record<string, unknown> {
  const status = v2Status(job, now);
  const state = jobState(job, now);
  const hasOutput = status === 'succeeded' && state.status === 'completed' && state.outputs.length > 0;
  const usage = { total_seconds: job.seconds, input_seconds: 0, output_seconds: job.seconds };
  return {
    id: job.id,
    model: job.model,
    task_type: 'generation',
    status,
    ...(status === 'succeeded' && { content: hasOutput ? { url: outputUrls() } : {}, usage }),
    ...(status === 'failed' && state.status === 'failed' && { error: FAILURES[state.cause] }),
    created_at: unixSeconds(job.createdAt),
    updated_at: unixSeconds(changedAt(job, now)),
    ...job.requestFields,
  };
}
