import type { Webhooks } from '@sluice/webhooks';

export interface WebhookDeps {
  webhooks: Webhooks;
  /** Webhook origins that may use private addresses or http. */
  origins: ReadonlySet<string>;
  /** How long a webhook test waits for its first attempt, in milliseconds. */
  testWaitMs: number;
  stopping: AbortSignal;
}
