export interface PollSettings {
  firstMs: number;
  minMs: number;
  maxMs: number;
}

/** Times are in milliseconds. Tests use short values. */
export interface TaskSettings {
  polling: PollSettings & { onReadMs: number };
  /** Lock duration of a step. After this time, another worker takes over a stalled worker's steps. */
  lockMs: number;
  stallCheckMs: number;
  sweepMs: number;
  /** Delay after which the sweeper wakes an overdue task. */
  overdueMs: number;
  queueDeadlineMs: number;
  runDeadlineMs: (model: string) => number; // from acceptance
  submitUnknownMs: number;
  retryMinMs: number;
  retryMaxMs: number;
  retentionMs: number;
  /** Concurrent steps per account in one process. */
  concurrency: number;
  /** Maximum size of an output, bytes. */
  downloadBytes: number;
  /** Maximum size of an input image, bytes. */
  uploadBytes: number;
}

export interface AccountCaps {
  /** Maximum running tasks at the vendor. Absent: no limit. */
  maxInFlight?: number;
  /** Concurrent submissions over all workers. */
  maxSubmitting: number;
}
