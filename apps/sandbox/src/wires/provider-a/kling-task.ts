import { createHash } from 'node:crypto';
import { jobState, startOf, type JobState, type MediaJob } from '../../jobs/media-job.ts';

export interface KlingTask {
  task_id: string;
  task_status: 'submitted' | 'processing' | 'succeed' | 'failed';
  task_status_msg: string;
  task_info: { external_task_id?: string };
  task_result?: object;
  final_unit_deduction?: string;
  created_at: number;
  updated_at: number;
}

const FAILURES = {
  error: 'Internal generation failure, please retry',
  moderation: 'Failure to pass the risk control system',
};

const STATUSES = { queued: 'submitted', in_progress: 'processing', completed: 'succeed', failed: 'failed' } as const;

function changedAt(job: MediaJob, state: JobState): number {
  switch (state.status) {
    case 'queued':
      return job.createdAt;
    case 'in_progress':
      return startOf(job);
    case 'completed':
    case 'failed':
      return state.completedAt;
  }
}

function videoId(job: MediaJob, index: number): string {
  return createHash('sha256').update(`${job.id} ${index}`).digest('hex').slice(0, 32);
}

/** The response to a submission. */
export function submittedTask(job: MediaJob): Omit<KlingTask, 'task_status_msg'> {
  return {
    task_id: job.id,
    task_status: 'submitted',
    task_info: job.reference === undefined ? {} : { external_task_id: job.reference },
    created_at: job.createdAt,
    updated_at: job.createdAt,
  };
}

/** @param outputUrls called only if there are URLs to return. */
export function klingTask(job: MediaJob, now: number, outputUrls: (outputs: readonly number[]) => string[]): KlingTask {
  const state = jobState(job, now);
  const task: KlingTask = {
    ...submittedTask(job),
    task_status: STATUSES[state.status],
    task_status_msg: state.status === 'failed' ? FAILURES[state.cause] : '',
    updated_at: changedAt(job, state),
  };
  if (state.status !== 'completed') return task;
  const urls = state.outputs.length === 0 ? [] : outputUrls(state.outputs);
  const task_result =
    job.kind === 'video'
      ? { videos: urls.map((url, at) => ({ id: videoId(job, at), url, duration: job.seconds.toFixed(1) })) }
      : { images: urls.map((url, at) => ({ index: state.outputs[at] ?? at, url })) };
  return { ...task, task_result, final_unit_deduction: String(job.kind === 'video' ? job.seconds / 5 : job.count) };
}
