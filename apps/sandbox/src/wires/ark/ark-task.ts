import { createHash } from 'node:crypto';
import { z } from 'zod';
import { endOf, jobState, type MediaJob, startOf } from '../../jobs/media-job.ts';
import { FRAMES_PER_SECOND } from './ark-params.ts';

/** ModelArk docs, "Retrieve a video generation task". */
export const ARK_STATUSES = ['queued', 'running', 'cancelled', 'succeeded', 'failed', 'expired'] as const;

export type ArkStatus = (typeof ARK_STATUSES)[number];

const Asked = z.object({
  name: z.string(),
  return_last_frame: z.boolean(),
  told: z.looseObject({ service_tier: z.string(), execution_expires_after: z.number() }),
});

export function requestFieldsOf(job: MediaJob): z.output<typeof Asked> {
  return Asked.parse(job.asked);
}

function expiryOf(job: MediaJob): number {
  return job.createdAt + requestFieldsOf(job).told.execution_expires_after * 1000;
}

export function arkStatus(job: MediaJob, now: number): ArkStatus {
  if (job.canceledAt !== undefined) return 'cancelled';
  if (now >= expiryOf(job) && endOf(job) > expiryOf(job)) return 'expired';
  const { status } = jobState(job, now);
  switch (status) {
    case 'queued':
      return 'queued';
    case 'in_progress':
      return 'running';
    case 'completed':
      return 'succeeded';
    case 'failed':
      return 'failed';
  }
}

const FAILURES = {
  error: {
    code: 'InternalServiceError',
    message: 'The service encountered an unexpected internal error.',
  },
  moderation: {
    code: 'OutputVideoSensitiveContentDetected',
    message: 'The request failed because the output video may contain sensitive information.',
  },
};

/** A seed is returned even if the request has none. */
function seedOf({ id, seed }: MediaJob): number {
  return seed ?? createHash('sha256').update(id).digest().readUInt16BE(0);
}

function changedAt(job: MediaJob, status: ArkStatus): number {
  if (status === 'queued') return job.createdAt;
  if (status === 'expired') return expiryOf(job);
  return status === 'running' ? startOf(job) : endOf(job);
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function made(job: MediaJob, urls: readonly string[]): object {
  const [video_url, last_frame_url] = urls;
  const tokens = Math.round((job.width * job.height * FRAMES_PER_SECOND * job.seconds) / 1024);
  return {
    content: { video_url, last_frame_url },
    usage: { completion_tokens: tokens, total_tokens: tokens },
  };
}

/**
 * A failed task is returned with HTTP 200.
 * @param outputUrls called only if there are URLs to return.
 */
export function arkTask(
  job: MediaJob,
  now: number,
  outputUrls: (withFrame: boolean) => string[],
): Record<string, unknown> {
  const status = arkStatus(job, now);
  const state = jobState(job, now);
  const { return_last_frame: withFrame, told } = requestFieldsOf(job);
  const hasOutput = status === 'succeeded' && state.status === 'completed' && state.outputs.length > 0;
  return {
    id: job.id,
    model: job.model,
    status,
    ...(status === 'succeeded' && made(job, hasOutput ? outputUrls(withFrame) : [])),
    ...(status === 'failed' && state.status === 'failed' && { error: FAILURES[state.cause] }),
    created_at: seconds(job.createdAt),
    updated_at: seconds(changedAt(job, status)),
    seed: seedOf(job),
    ...told,
  };
}
