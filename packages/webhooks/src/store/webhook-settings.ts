/** Settings of webhooks, in milliseconds. Tests use short values. */
export interface WebhookSettings {
  /** Delays after failed attempts; the number of attempts is one higher. */
  retryMs: readonly number[];
  /** Timeout of one attempt. */
  timeoutMs: number;
  /** How long past `timeoutMs` a delivery stays leased by a stalled worker. */
  leaseMs: number;
  /** Interval of checks for due deliveries. */
  pollMs: number;
  /** How long the previous secret signs as well after a rotation. */
  rotationMs: number;
  /** Concurrent attempts in one worker process; a quarter is reserved for owners without attempts in flight. */
  concurrency: number;
  /** Concurrent attempts at one host, over all workers. */
  perHost: number;
  /** Concurrent attempts for one key, over all workers. */
  perOwner: number;
  /** Maximum of webhooks per key. */
  perKey: number;
  /** Retention of deliveries, the same as that of tasks. */
  retentionMs: number;
}
