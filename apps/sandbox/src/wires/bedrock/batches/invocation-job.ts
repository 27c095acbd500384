import type { VendorBatch } from '../../../batches/vendor-batch.ts';
import type { CreateJob } from './create-job.ts';

export interface InvocationJobDetails {
  /** The request that created the job. */
  creation: CreateJob;
  /** The reason why the job failed. */
  message?: string;
}

export type InvocationJob = VendorBatch<InvocationJobDetails>;

export const ARN = 'arn:aws:bedrock:us-east-1:123456789012:model-invocation-job/';
const HOUR_MS = 3_600_000;
const STATUSES = {
  validating: 'Validating',
  running: 'InProgress',
  canceling: 'Stopping',
  completed: 'Completed',
  failed: 'Failed',
  // A job that times out after it has begun has processed a part of its records.
  expired: 'PartiallyCompleted',
  canceled: 'Stopped',
} as const;

export function statusOf({ status }: InvocationJob): string {
  return STATUSES[status];
}

function time(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}

/** Formats a job (@aws-sdk/client-bedrock 3.1164.0, `GetModelInvocationJobResponse`). */
export function invocationJob(job: InvocationJob) {
  const { id, details, counts, createdAt, endedAt } = job;
  const { tags: _tags, ...creation } = details.creation;
  return {
    ...creation,
    message: details.message,
    jobArn: ARN + id,
    status: statusOf(job),
    submitTime: time(createdAt),
    lastModifiedTime: time(endedAt ?? job.cancelingAt ?? job.startedAt ?? createdAt),
    endTime: time(endedAt),
    jobExpirationTime: time(createdAt + creation.timeoutDurationInHours * HOUR_MS),
    totalRecordCount: counts.total,
    processedRecordCount: counts.succeeded + counts.failed,
    successRecordCount: counts.succeeded,
    errorRecordCount: counts.failed,
  };
}
