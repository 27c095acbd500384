import type { Webhooks } from '@sluice/webhooks';

export interface WebhookDeps {
  webhooks: Webhooks;
  /** Origins of webhooks that may be private or use http. */
  origins: ReadonlySet<string>;
  /** Milliseconds that a test waits for its first attempt. */
  testWaitMs: number;
  stopping: AbortSignal;
}
