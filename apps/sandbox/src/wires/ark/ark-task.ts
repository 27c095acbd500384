import { createHash } from 'node:crypto';
import { z } from 'zod';
import { changedAt, endOf, jobState, type MediaJob, unixSeconds } from '../../jobs/media-job.ts';
import { FRAMES_PER_SECOND } from './ark-params.ts';

/** Source: ModelArk docs, "Retrieve a video generation task". */
export const ARK_STATUSES = ['queued', 'running', 'cancelled', 'succeeded', 'failed', 'expired'] as const;

type ArkStatus = (typeof ARK_STATUSES)[number];

const STATUSES = { queued: 'queued', in_progress: 'running', completed: 'succeeded', failed: 'failed' } as const;

const RequestFields = z.object({
  name: z.string(),
  return_last_frame: z.boolean(),
  returned: z.looseObject({ service_tier: z.string(), execution_expires_after: z.number() }),
});

export function requestFieldsOf(job: MediaJob): z.output<typeof RequestFields> {
  return RequestFields.parse(job.requestFields);
}

function expiryOf(job: MediaJob): number {
  return job.createdAt + requestFieldsOf(job).returned.execution_expires_after * 1000;
}

export function arkStatus(job: MediaJob, now: number): ArkStatus {
  if (job.canceledAt !== undefined) return 'cancelled';
  if (now >= expiryOf(job) && endOf(job) > expiryOf(job)) return 'expired';
  return STATUSES[jobState(job, now).status];
}

const FAILURES = {
  error: { code: 'InternalServiceError', message: 'The service encountered an unexpected internal error.' },
  moderation: {
    code: 'OutputVideoSensitiveContentDetected',
    message: 'The request failed because the output video may contain sensitive information.',
  },
};

/** The vendor returns a seed even if the request has none. */
function seedOf({ id, seed }: MediaJob): number {
  return seed ?? createHash('sha256').update(id).digest().readUInt16BE(0);
}

function outputOf({ width, height, seconds }: MediaJob, [video_url, last_frame_url]: readonly string[]): object {
  const tokens = Math.round((width * height * FRAMES_PER_SECOND * seconds) / 1024);
  return { content: { video_url, last_frame_url }, usage: { completion_tokens: tokens, total_tokens: tokens } };
}

/**
 * A failed task is returned with HTTP status 200.
 * @param outputUrls called only if there are URLs to return.
 */
export function arkTask(job: MediaJob, now: number, outputUrls: (withFrame: boolean) => string[]) {
  const status = arkStatus(job, now);
  const state = jobState(job, now);
  const { return_last_frame: withFrame, returned } = requestFieldsOf(job);
  const hasOutput = status === 'succeeded' && state.status === 'completed' && state.outputs.length > 0;
  return {
    id: job.id,
    model: job.model,
    status,
    ...(status === 'succeeded' && outputOf(job, hasOutput ? outputUrls(withFrame) : [])),
    ...(status === 'failed' && state.status === 'failed' && { error: FAILURES[state.cause] }),
    created_at: unixSeconds(job.createdAt),
    updated_at: unixSeconds(status === 'expired' ? expiryOf(job) : changedAt(job, now)),
    seed: seedOf(job),
    ...returned,
  };
}
