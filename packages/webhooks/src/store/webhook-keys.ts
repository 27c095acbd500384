/**
 * The names of all Redis keys of webhooks, under the deployment's hash tag. The scripts build the same names from
 * {@link WebhookKeys.prefix}. The tasks' move script writes `outbox` and reads `of`.
 */
export interface WebhookKeys {
  prefix: string;
  of(ownerId: string): string;
  /** Ended tasks whose events are not yet queued for webhooks. */
  outbox: string;
  /** The lease of the worker that moves the outbox to the home. */
  forwarding: string;
  webhook(id: string): string;
  secret(ownerId: string): string;
  delivery(id: string): string;
  attempts(deliveryId: string): string;
  responses(deliveryId: string): string; // Responses to the latest attempts.
  log(ownerId: string): string;
  webhookLog(webhookId: string): string;
  tests(webhookId: string): string; // The webhook's latest tests.
  stats: string;
  /** An encrypted value that shows whether all processes have the same secret. */
  secretCheck: string;
}

export function createWebhookKeys(name: string): WebhookKeys {
  const prefix = `{${name}}:webhooks:`;
  return {
    prefix,
    of: (ownerId) => `${prefix}of:${ownerId}`,
    outbox: `${prefix}outbox`,
    forwarding: `${prefix}forwarding`,
    webhook: (id) => `${prefix}webhook:${id}`,
    secret: (ownerId) => `${prefix}secret:${ownerId}`,
    delivery: (id) => `${prefix}delivery:${id}`,
    attempts: (deliveryId) => `${prefix}attempts:${deliveryId}`,
    responses: (deliveryId) => `${prefix}responses:${deliveryId}`,
    log: (ownerId) => `${prefix}log:${ownerId}`,
    webhookLog: (webhookId) => `${prefix}webhook_log:${webhookId}`,
    tests: (webhookId) => `${prefix}tests:${webhookId}`,
    stats: `${prefix}stats`,
    secretCheck: `${prefix}seal`,
  };
}
