import type { Config } from '../schema/schema.ts';

/** Returns the webhook settings (`WebhookSettings` in `packages/webhooks`). API and workers must use the same ones. */
export function webhookSettings({ webhooks, tasks }: Pick<Config, 'webhooks' | 'tasks'>) {
  return {
    retryMs: webhooks.retry_ms,
    timeoutMs: webhooks.timeout_ms,
    leaseMs: webhooks.lease_ms,
    pollMs: webhooks.poll_ms,
    rotationMs: webhooks.rotation_ms,
    concurrency: webhooks.concurrency,
    perHost: webhooks.per_host,
    perOwner: webhooks.per_owner,
    perKey: webhooks.per_key,
    retentionMs: tasks.retention_ms,
  };
}

/** Returns the origins that webhooks may call without TLS and at any address. */
export function webhookOrigins({ webhooks, download }: Pick<Config, 'webhooks' | 'download'>): string[] {
  return [...new Set([...webhooks.allow, ...download.allow].map((url) => new URL(url).origin))];
}
