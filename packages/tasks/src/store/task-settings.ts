/** Bounds of the poll interval, milliseconds. */
export interface PollSettings {
  firstMs: number;
  minMs: number;
  maxMs: number;
}

/** Settings of tasks, in milliseconds. Tests use short values. */
export interface TaskSettings {
  polling: PollSettings & { onReadMs: number };
  /** Lock duration of a step. Another worker takes over the steps of a stalled worker after this time. */
  lockMs: number;
  stallCheckMs: number;
  sweepMs: number;
  /** How long a task may be overdue before the sweeper wakes it. */
  overdueMs: number;
  queueDeadlineMs: number;
  /** Counted from acceptance; may depend on the model. */
  runDeadlineMs: (model: string) => number;
  submitUnknownMs: number;
  retryMinMs: number;
  retryMaxMs: number;
  retentionMs: number;
  /** Concurrent steps per account in one process. */
  concurrency: number;
  /** Maximum size of a downloaded output, bytes. */
  downloadBytes: number;
  /** Maximum size of a fetched input image, bytes. */
  uploadBytes: number;
}

export interface AccountCaps {
  /** Maximum of running tasks at the vendor; absent: no limit. */
  maxInFlight?: number;
  /** Concurrent submissions over all workers. */
  maxSubmitting: number;
}
