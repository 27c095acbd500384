/** Webhook settings. Times are in milliseconds. Tests use short values. */
export interface WebhookSettings {
  /** Delays after failed attempts. The number of attempts is one more than the number of delays. */
  retryMs: readonly number[];
  timeoutMs: number;
  /** A stalled worker's lease ends this long after `timeoutMs`. */
  leaseMs: number;
  /** Interval between checks for due deliveries. */
  pollMs: number;
  /** How long deliveries are also signed with the previous secret after a rotation. */
  rotationMs: number;
  /** Maximum number of concurrent attempts in one process. A quarter is for owners without attempts in flight. */
  concurrency: number;
  /** Maximum number of concurrent attempts at one host, across all workers. */
  perHost: number;
  /** Maximum number of concurrent attempts for one key, across all workers. */
  perOwner: number;
  perKey: number;
  /** How long deliveries are stored. Tasks are stored equally long. */
  retentionMs: number;
}
