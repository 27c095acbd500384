/** Event types of webhooks. A canceled task counts as failed, as in the public status. */
export const WEBHOOK_EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A client's endpoint that receives the events of all tasks of its key. Times are Unix milliseconds. */
export interface Webhook {
  /** `whe_` and a random suffix. */
  id: string;
  url: string;
  /** Chosen by the client. */
  name: string;
  /** Subscribed events; at least one. */
  events: WebhookEvent[];
  /** Absent: enabled. `gone`: the server returned 410. */
  disabled?: 'by_owner' | 'gone';
  createdAt: number;
  /** Last change of settings or secret. */
  updatedAt: number;
  /** End of the secret, to distinguish it from others. */
  secretHint: string;
  /** Until then deliveries are also signed with the previous secret. */
  previousSecretUntil?: number;
}

/** A signing secret, shown once. */
export interface SigningSecret {
  /** `whsec_` and base64 of random bytes. */
  secret: string;
  secretHint: string;
  previousSecretUntil?: number;
}

/** Why an attempt got no response or was not made. */
export type WebhookFailure =
  | 'invalid_url'
  | 'forbidden_address'
  | 'timeout'
  | 'network'
  /** The webhook or task was deleted, or the webhook was disabled; nothing was sent. */
  | 'webhook_deleted'
  | 'webhook_disabled'
  | 'task_deleted'
  /** The owning key was revoked; nothing was sent. */
  | 'key_revoked'
  /** Nothing was sent, e.g. because the secret cannot be read. The worker's log has details. */
  | 'internal_error';

export interface WebhookAttempt {
  /** Unix milliseconds. */
  at: number;
  durationMs: number;
  /** The server's response status. */
  status?: number;
  /** Why there is no response. */
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
  /** Next attempt, while pending. */
  dueAt?: number;
  /** The latest attempts, oldest first. */
  attempts: WebhookAttempt[];
}
