export interface PollSettings {
  firstMs: number;
  minMs: number;
  maxMs: number;
}

/** Settings of media tasks. Times are in milliseconds. Tests use short values. */
export interface TaskSettings {
  polling: PollSettings & { onReadMs: number };
  /** Lock duration of a step. After this time, another worker repeats a stalled worker's step. */
  lockMs: number;
  stallCheckMs: number;
  sweepMs: number;
  /** The sweeper wakes a task this long after its due time. */
  overdueMs: number;
  queueDeadlineMs: number;
  runDeadlineMs: (model: string) => number; // Returns the time limit, measured from acceptance.
  submitUnknownMs: number;
  retryMinMs: number;
  retryMaxMs: number;
  retentionMs: number;
  /** Maximum number of concurrent steps per account in one process. */
  concurrency: number;
  /** Maximum size of an output, in bytes. */
  downloadBytes: number;
  /** Maximum size of an input image, in bytes. */
  uploadBytes: number;
  /** Maximum length of the ledger's stream. If omitted, the ledger is off. */
  maxLedgerEntries?: number | undefined;
  /** Whether to announce the end of every task, because the registry of webhooks is in another Redis. */
  announcesAll?: boolean | undefined;
}

export interface AccountCaps {
  /** Maximum number of tasks running at the vendor. If absent, there is no limit. */
  maxInFlight?: number;
  /** Maximum number of concurrent submissions across all workers. */
  maxSubmitting: number;
}
