/** Event types of webhooks. A canceled task counts as failed, as in the public status. */
export const WEBHOOK_EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A client's endpoint that receives the events of all tasks of its key. Times are Unix milliseconds. */
export interface Webhook {
  id: string;
  url: string;
  name: string;
  events: WebhookEvent[];
  /** Absent: enabled. `gone`: the server returned 410. */
  disabled?: 'by_owner' | 'gone';
  createdAt: number;
  updatedAt: number;
  secretHint: string;
  /** Until then deliveries are also signed with the previous secret. */
  previousSecretUntil?: number;
}

export interface SigningSecret {
  secret: string;
  secretHint: string;
  previousSecretUntil?: number;
}

export type WebhookFailure =
  | 'invalid_url'
  | 'forbidden_address'
  | 'timeout'
  | 'network'
  /** With these, nothing was sent. */
  | 'webhook_deleted'
  | 'webhook_disabled'
  | 'task_deleted'
  | 'key_revoked'
  /** For example, the secret cannot be read. The worker's log has details. */
  | 'internal_error';

export interface WebhookAttempt {
  at: number;
  durationMs: number;
  status?: number;
  error?: WebhookFailure;
}

/** One event for one endpoint. Times are Unix milliseconds. */
export interface WebhookDelivery {
  /** `whd_`, then the event and the webhook. */
  id: string;
  /** Absent: the callback in the task's own request. */
  webhookId?: string;
  /** The same for all attempts and endpoints. */
  eventId: string;
  type: WebhookEvent;
  /** Absent: a test event. */
  taskId?: string;
  /** `failed`: all attempts failed. */
  status: 'pending' | 'delivered' | 'failed';
  createdAt: number;
  dueAt?: number;
  /** The latest attempts, oldest first. */
  attempts: WebhookAttempt[];
}
