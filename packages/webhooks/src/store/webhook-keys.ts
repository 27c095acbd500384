/**
 * The names of all Redis keys of webhooks, under the hash tag of all of Sluice. The scripts build the same names from
 * {@link WebhookKeys.prefix}. `of` and `outbox` are shared with the tasks' move script, which writes the outbox.
 */
export interface WebhookKeys {
  prefix: string;
  /** Ids of an owner's webhooks. */
  of(ownerId: string): string;
  /** Tasks that have ended and are still to be told of. */
  outbox: string;
  webhook(id: string): string;
  /** The secret that signs what is sent to callbacks of single requests. */
  secret(ownerId: string): string;
  delivery(id: string): string;
  attempts(deliveryId: string): string;
  /** An owner's deliveries by time. */
  log(ownerId: string): string;
  /** A webhook's deliveries by time. */
  webhookLog(webhookId: string): string;
  /** A webhook's last tests. */
  tests(webhookId: string): string;
  stats: string;
  /** What tells whether all processes have the same secret. */
  seal: string;
}

/** Builds the {@link WebhookKeys} under a configured name. */
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
    seal: `${prefix}seal`,
  };
}
