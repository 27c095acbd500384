import { endOf, jobState, type JobState, type MediaJob, startOf, statusName } from '../../jobs/media-job.ts';
import { beijingTime } from './dashscope-time.ts';

interface DashscopeTask {
  output: Record<string, unknown>;
  usage?: Record<string, unknown>;
}

/** The vendor uses the same errors for a single failed image. */
const FAILURES = {
  error: {
    code: 'InternalError.Algo',
    message: 'An internal error has occured during execution, please try again later or contact service support.',
  },
  moderation: { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' },
};

const STATUSES = {
  queued: 'PENDING',
  in_progress: 'RUNNING',
  completed: 'SUCCEEDED',
  failed: 'FAILED',
  canceled: 'CANCELED',
};

function timesOf(job: MediaJob, status: string): object {
  return {
    submit_time: beijingTime(job.createdAt),
    ...(status !== 'PENDING' && { scheduled_time: beijingTime(startOf(job)) }),
    ...(status !== 'PENDING' && status !== 'RUNNING' && { end_time: beijingTime(endOf(job)) }),
  };
}

function videoTask(
  { prompt, seconds, width, height, requestFields = {} }: MediaJob,
  urls: readonly string[],
): DashscopeTask {
  // With `[nothing]`, the task is SUCCEEDED without a video.
  const output = { orig_prompt: prompt, ...(urls.length > 0 && { video_url: urls[0] }) };
  const usage = {
    duration: seconds,
    input_video_duration: 0,
    output_video_duration: seconds,
    video_count: urls.length,
    SR: requestFields.SR,
    size: `${width}*${height}`,
    ratio: requestFields.ratio,
    fps: 24,
  };
  return { output, usage };
}

function imagesTask({ prompt, count }: MediaJob, outputs: readonly number[], urls: readonly string[]) {
  const urlByIndex = new Map(outputs.map((index, at) => [index, urls[at]]));
  // Single images may fail while the task succeeds (DashScope docs, "Text-to-image V2").
  const results = Array.from({ length: outputs.length === 0 ? 0 : count }, (_, index) => {
    const url = urlByIndex.get(index);
    return url === undefined ? FAILURES.error : { orig_prompt: prompt, actual_prompt: prompt, url };
  });
  const task_metrics = { TOTAL: count, SUCCEEDED: outputs.length, FAILED: count - outputs.length };
  return { output: { results, task_metrics }, usage: { image_count: outputs.length } };
}

function toTask(job: MediaJob, state: JobState, outputUrls: (outputs: readonly number[]) => string[]): DashscopeTask {
  if (state.status === 'completed') {
    const urls = outputUrls(state.outputs);
    return job.kind === 'video' ? videoTask(job, urls) : imagesTask(job, state.outputs, urls);
  }
  return { output: state.status === 'failed' && job.canceledAt === undefined ? FAILURES[state.cause] : {} };
}

/** @param outputUrls called only if there are URLs to return. */
export function dashscopeTask(
  job: MediaJob,
  now: number,
  outputUrls: (outputs: readonly number[]) => string[],
): DashscopeTask {
  const status = statusName(job, now, STATUSES);
  const task = toTask(job, jobState(job, now), outputUrls);
  return { ...task, output: { task_id: job.id, task_status: status, ...timesOf(job, status), ...task.output } };
}
