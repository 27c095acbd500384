import type { VendorBatch } from '../../batches/vendor-batch.ts';

export interface GenerativeBatchDetails {
  model: string;
  displayName: string;
  /** The file of the results, or the results in the order of the requests. */
  output?: { responsesFile: string } | { inlinedResponses: { inlinedResponses: object[] } };
}

export type GenerativeBatch = VendorBatch<GenerativeBatchDetails>;

const TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.GenerateContentBatch';
const STATES = {
  validating: 'BATCH_STATE_PENDING',
  running: 'BATCH_STATE_RUNNING',
  canceling: 'BATCH_STATE_RUNNING',
  completed: 'BATCH_STATE_SUCCEEDED',
  failed: 'BATCH_STATE_FAILED',
  expired: 'BATCH_STATE_EXPIRED',
  canceled: 'BATCH_STATE_CANCELLED',
} as const;
/** Codes of google.rpc.Code. */
const ERRORS: Readonly<Record<string, { code: number; message: string }>> = {
  failed: { code: 3, message: 'The batch contains invalid requests.' },
  expired: { code: 4, message: 'The batch expired before it was processed.' },
  canceled: { code: 1, message: 'The batch was cancelled.' },
};

function time(at: number): string {
  return new Date(at).toISOString();
}

/** Formats the operation of a batch. Only a batch that succeeded has results. */
export function generativeOperation({ id, status, details, counts, createdAt, startedAt, endedAt }: GenerativeBatch) {
  const { total, succeeded, failed } = counts;
  const output = status === 'completed' ? details.output : undefined;
  return {
    name: `batches/${id}`,
    metadata: {
      '@type': TYPE,
      name: `batches/${id}`,
      model: `models/${details.model}`,
      displayName: details.displayName,
      state: STATES[status],
      createTime: time(createdAt),
      updateTime: time(endedAt ?? startedAt ?? createdAt),
      endTime: endedAt === undefined ? undefined : time(endedAt),
      batchStats: {
        requestCount: String(total),
        successfulRequestCount: String(succeeded),
        failedRequestCount: String(failed),
        pendingRequestCount: String(total - succeeded - failed),
      },
      output,
    },
    done: endedAt === undefined ? undefined : true,
    error: ERRORS[status],
    response: output && { '@type': `${TYPE}Output`, ...output },
  };
}
