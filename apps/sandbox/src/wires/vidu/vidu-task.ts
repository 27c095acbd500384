import { hexFrom } from '../../jobs/job-id.ts';
import { z } from 'zod';
import { jobState, type MediaJob } from '../../jobs/media-job.ts';

/** Source: Vidu docs, "Get Generation". */
export const VIDU_STATES = ['created', 'queueing', 'processing', 'success', 'failed'] as const;

const RequestFields = z.looseObject({ off_peak: z.boolean(), watermark: z.boolean(), bgm: z.boolean() });

export function requestFieldsOf(job: MediaJob): z.output<typeof RequestFields> {
  return RequestFields.parse(job.requestFields);
}

const STATES = { queued: 'queueing', in_progress: 'processing', completed: 'success', failed: 'failed' } as const;

/** Never returns `created`, because only the response to a submission has this state. */
export function viduState(job: MediaJob, now: number): (typeof VIDU_STATES)[number] {
  return STATES[jobState(job, now).status];
}

const FAILURES = { error: 'InternalServiceFailure', moderation: 'CreationPolicyViolation' };

function errCodeOf(job: MediaJob, now: number): string {
  if (job.canceledAt !== undefined) return 'UserCancelled';
  const state = jobState(job, now);
  return state.status === 'failed' ? FAILURES[state.cause] : '';
}

function creditsOf({ seconds }: MediaJob): number {
  return Math.ceil(seconds) * 4;
}

/** Returns the URLs of the video, its cover, and, if requested, the watermarked video. */
export type OutputUrls = (withWatermark: boolean) => string[];

function creationsOf(job: MediaJob, now: number, outputUrls: OutputUrls): object[] {
  const state = jobState(job, now);
  if (state.status !== 'completed' || state.outputs.length === 0) return [];
  const [url, cover_url, watermarked_url] = outputUrls(requestFieldsOf(job).watermark);
  const { width, height, seconds: duration } = job;
  const id = hexFrom(`creation ${job.id}`).slice(0, 16);
  const video = { duration, fps: 24, resolution: { width, height } };
  return [{ id, url, cover_url, watermarked_url: watermarked_url ?? '', video }];
}

export function createdTask(job: MediaJob): Record<string, unknown> {
  return {
    task_id: job.id,
    state: 'created',
    model: job.model,
    prompt: job.prompt,
    seed: job.seed ?? 0,
    payload: job.reference ?? '',
    credits: creditsOf(job),
    created_at: new Date(job.createdAt).toISOString(),
    ...job.requestFields,
  };
}

/** Formats a task (Vidu docs, "Get Generation"). With `[nothing]`, it succeeds without a creation. */
export function viduTask(job: MediaJob, now: number, outputUrls: OutputUrls): Record<string, unknown> {
  const { bgm, off_peak } = requestFieldsOf(job);
  return {
    id: job.id,
    state: viduState(job, now),
    err_code: errCodeOf(job, now),
    credits: creditsOf(job),
    payload: job.reference ?? '',
    bgm,
    off_peak,
    creations: creationsOf(job, now, outputUrls),
  };
}

/** Formats a task of a list (Vidu docs, "Query Task List"). */
export function listedTask(job: MediaJob, now: number, outputUrls: OutputUrls): Record<string, unknown> {
  const { task_id: _id, ...created } = createdTask(job);
  return { ...created, key_id: '1', template: '', ...viduTask(job, now, outputUrls) };
}
