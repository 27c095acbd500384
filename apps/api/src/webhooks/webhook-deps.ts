import type { Webhooks } from '@sluice/webhooks';

/** Everything that serves webhooks; each function picks what it uses. */
export interface WebhookDeps {
  webhooks: Webhooks;
  /** Origins of webhooks that need not be public or use https. */
  origins: ReadonlySet<string>;
  /** How long a test waits for its first attempt, milliseconds. */
  testWaitMs: number;
  /** Aborts when the process is asked to stop. */
  stopping: AbortSignal;
}
