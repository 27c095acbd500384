import type { EventObject, MediaTask } from '@sluice/canonical';
import type { TaskEvent } from '@sluice/protocols';
import type { TaskEngine } from '@sluice/tasks';
import type { Webhooks } from '@sluice/webhooks';

export interface WebhookDeps {
  webhooks: Webhooks;
  engine: Pick<TaskEngine, 'find'>;
  /** Returns the body of an event's deliveries. */
  encodeEvent: (subject: MediaTask | EventObject, event: TaskEvent) => string;
  /** Webhook origins that may use private addresses or http. */
  origins: ReadonlySet<string>;
  /** How long a webhook test waits for its first attempt, in milliseconds. */
  testWaitMs: number;
  stopping: AbortSignal;
}
