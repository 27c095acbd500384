/** Everything about webhooks that can be set, in milliseconds. Defaults suit production; tests shrink them. */
export interface WebhookSettings {
  /** Waits after each failed attempt; one more attempt than there are waits. */
  retryMs: readonly number[];
  /** Longest time that one attempt takes. */
  timeoutMs: number;
  /** How long past `timeoutMs` a worker that fell silent keeps a delivery. */
  leaseMs: number;
  /** Wait between two looks for what is due. */
  pollMs: number;
  /** How long deliveries are signed with the secret before the last rotation as well. */
  rotationMs: number;
  /** Attempts under way in one worker process; a quarter is kept for owners with none under way. */
  concurrency: number;
  /** Attempts under way at one host, over all workers. */
  perHost: number;
  /** Attempts under way for one key, over all workers. */
  perOwner: number;
  /** Webhooks that one key may register. */
  perKey: number;
  /** How long deliveries are told of: as long as their tasks. */
  retentionMs: number;
}
