/**
 * Names of all Redis keys of webhooks, under the hash tag of the deployment. The scripts build the same names from
 * {@link WebhookKeys.prefix}. The tasks' move script writes `outbox` and reads `of`.
 */
export interface WebhookKeys {
  prefix: string;
  /** Ids of an owner's webhooks. */
  of(ownerId: string): string;
  /** Ended tasks that are still to be announced. */
  outbox: string;
  webhook(id: string): string;
  /** The secret that signs callbacks of single requests. */
  secret(ownerId: string): string;
  delivery(id: string): string;
  attempts(deliveryId: string): string;
  /** An owner's deliveries by time. */
  log(ownerId: string): string;
  /** A webhook's deliveries by time. */
  webhookLog(webhookId: string): string;
  /** A webhook's latest tests. */
  tests(webhookId: string): string;
  stats: string;
  /** Shows whether all processes have the same secret. */
  secretCheck: string;
}

export function createWebhookKeys(name: string): WebhookKeys {
  const prefix = `{${name}}:webhooks:`;
  return {
    prefix,
    of: (ownerId) => `${prefix}of:${ownerId}`,
    outbox: `${prefix}outbox`,
    webhook: (id) => `${prefix}webhook:${id}`,
    secret: (ownerId) => `${prefix}secret:${ownerId}`,
    delivery: (id) => `${prefix}delivery:${id}`,
    attempts: (deliveryId) => `${prefix}attempts:${deliveryId}`,
    log: (ownerId) => `${prefix}log:${ownerId}`,
    webhookLog: (webhookId) => `${prefix}webhook_log:${webhookId}`,
    tests: (webhookId) => `${prefix}tests:${webhookId}`,
    stats: `${prefix}stats`,
    secretCheck: `${prefix}seal`,
  };
}
