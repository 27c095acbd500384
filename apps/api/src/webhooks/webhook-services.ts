import type { Webhooks } from '@sluice/webhooks';

/** What webhooks are served with. */
export interface WebhookDeps {
  webhooks: Webhooks;
  /** Where webhooks may lead by http. */
  origins: ReadonlySet<string>;
  /** How long a test is waited for, milliseconds. */
  testWaitMs: number;
  /** Aborts when the process is asked to stop. */
  stopping: AbortSignal;
}
