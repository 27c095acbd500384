/** Bounds of the poll interval, milliseconds. */
export interface PollSettings {
  firstMs: number;
  minMs: number;
  maxMs: number;
}

/** Everything about tasks that can be set, in milliseconds. Defaults suit production; tests shrink them. */
export interface TaskSettings {
  polling: PollSettings & { onReadMs: number };
  /** How long a worker may be silent before another takes its step. */
  lockMs: number;
  stallCheckMs: number;
  sweepMs: number;
  /** How long past its due time a task may be before the sweeper wakes it. */
  overdueMs: number;
  queueDeadlineMs: number;
  /** From acceptance; a model may have its own. */
  runDeadlineMs: (model: string) => number;
  submitUnknownMs: number;
  retryMinMs: number;
  retryMaxMs: number;
  retentionMs: number;
  /** Steps under way in one process per account. */
  concurrency: number;
  /** Longest video taken from an upstream, bytes. */
  downloadBytes: number;
  /** Longest picture taken from a client's URL, bytes. */
  uploadBytes: number;
}

/** What an upstream account takes at once. */
export interface AccountCaps {
  /** Videos running at the vendor; absent: no cap. */
  maxInFlight?: number;
  /** Submissions under way over all workers. */
  maxSubmitting: number;
}
