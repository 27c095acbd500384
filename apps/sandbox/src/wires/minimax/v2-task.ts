import { endOf, jobState, type MediaJob, startOf } from '../../jobs/media-job.ts';

/** MiniMax docs, "Query task"; nothing expires here. */
export const V2_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;

export type V2Status = (typeof V2_STATUSES)[number];

const STATUSES = {
  queued: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
} as const;

export function v2Status(job: MediaJob, now: number): V2Status {
  return job.canceledAt === undefined ? STATUSES[jobState(job, now).status] : 'cancelled';
}

const FAILURES = {
  error: { code: '1000', message: 'unknown error' },
  moderation: { code: '1027', message: 'video generated contains sensitive content' },
};

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function changedAt(job: MediaJob, status: V2Status): number {
  if (status === 'queued') return job.createdAt;
  return status === 'running' ? startOf(job) : endOf(job);
}

/** @param outputUrls called only if there is a URL to return. */
export function v2Task(job: MediaJob, now: number, outputUrls: () => string | undefined): Record<string, unknown> {
  const status = v2Status(job, now);
  const state = jobState(job, now);
  const made = status === 'succeeded' && state.status === 'completed' && state.outputs.length > 0;
  const usage = { total_seconds: job.seconds, input_seconds: 0, output_seconds: job.seconds };
  return {
    id: job.id,
    model: job.model,
    task_type: 'generation',
    status,
    ...(status === 'succeeded' && { content: made ? { url: outputUrls() } : {}, usage }),
    ...(status === 'failed' && state.status === 'failed' && { error: FAILURES[state.cause] }),
    created_at: seconds(job.createdAt),
    updated_at: seconds(changedAt(job, status)),
    ...job.asked,
  };
}
