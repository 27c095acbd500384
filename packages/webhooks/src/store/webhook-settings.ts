/** Settings of webhooks, in milliseconds. Tests use short values. */
export interface WebhookSettings {
  /** Delays after failed attempts; one attempt more than delays. */
  retryMs: readonly number[];
  timeoutMs: number;
  /** Time after `timeoutMs` at which the lease of a stalled worker ends. */
  leaseMs: number;
  /** Interval of checks for due deliveries. */
  pollMs: number;
  /** How long the previous secret also signs after a rotation. */
  rotationMs: number;
  /** Concurrent attempts in one process; a quarter is reserved for owners without attempts in flight. */
  concurrency: number;
  /** Concurrent attempts at one host, over all workers. */
  perHost: number;
  /** Concurrent attempts for one key, over all workers. */
  perOwner: number;
  perKey: number;
  /** Retention of deliveries, the same as that of tasks. */
  retentionMs: number;
}
