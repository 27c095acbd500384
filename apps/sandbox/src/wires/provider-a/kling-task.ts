import { hexFrom } from '../../jobs/job-id.ts';
import { changedAt, jobState, type MediaJob } from '../../jobs/media-job.ts';

const FAILURES = {
  error: 'Internal generation failure, please retry',
  moderation: 'Failure to pass the risk control system',
};

const STATUSES = { queued: 'submitted', in_progress: 'processing', completed: 'succeed', failed: 'failed' } as const;

export function submittedTask(job: MediaJob) {
  return {
    task_id: job.id,
    task_status: 'submitted',
    task_info: { external_task_id: job.reference },
    created_at: job.createdAt,
    updated_at: job.createdAt,
  };
}

/** @param outputUrls called only if there are URLs to return. */
export function klingTask(job: MediaJob, now: number, outputUrls: (outputs: readonly number[]) => string[]) {
  const state = jobState(job, now);
  const task: Record<string, unknown> = {
    ...submittedTask(job),
    task_status: STATUSES[state.status],
    task_status_msg: state.status === 'failed' ? FAILURES[state.cause] : '',
    updated_at: changedAt(job, now),
  };
  if (state.status !== 'completed') return task;
  const urls = state.outputs.length === 0 ? [] : outputUrls(state.outputs);
  const task_result =
    job.kind === 'video'
      ? {
          videos: urls.map((url, at) => ({
            id: hexFrom(`${job.id} ${at}`).slice(0, 32),
            url,
            duration: job.seconds.toFixed(1),
          })),
        }
      : { images: urls.map((url, at) => ({ index: state.outputs[at] ?? at, url })) };
  return { ...task, task_result, final_unit_deduction: String(job.kind === 'video' ? job.seconds / 5 : job.count) };
}
