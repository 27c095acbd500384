/** What is told of a task, as event types. A canceled task counts as failed, as everywhere outside. */
export const WEBHOOK_EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

/** One of {@link WEBHOOK_EVENTS}. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A server of a client that is told of all tasks of its key. Times are Unix milliseconds. */
export interface Webhook {
  /** `whe_` and a random suffix. */
  id: string;
  url: string;
  /** The client's own name of it. */
  name: string;
  /** What it is told of; at least one. */
  events: WebhookEvent[];
  /** Why it is told nothing; absent: it is. `gone`: it has answered 410. */
  disabled?: 'by_owner' | 'gone';
  createdAt: number;
  /** When its settings or its secret last changed. */
  updatedAt: number;
  /** The end of the secret, to tell it from others. */
  secretHint: string;
  /** Until when deliveries are signed with the secret before this one as well. */
  previousSecretUntil?: number;
}

/** A secret that signs deliveries, as it is shown once. */
export interface SigningSecret {
  /** `whsec_` and base64 of random bytes. */
  secret: string;
  secretHint: string;
  previousSecretUntil?: number;
}

/** Why an attempt has brought no answer, or was not made. */
export type WebhookFailure =
  | 'invalid_url'
  | 'forbidden_address'
  | 'timeout'
  | 'network'
  /** The webhook or the task has been deleted since, or the webhook is switched off: nothing was sent. */
  | 'webhook_deleted'
  | 'webhook_disabled'
  | 'task_deleted'
  /** The key that all of it belongs to has been revoked: nothing was sent. */
  | 'key_revoked'
  /** Nothing could be sent: the secret cannot be read, for one. The log of the worker tells more. */
  | 'internal_error';

/** One try to deliver an event. */
export interface WebhookAttempt {
  /** Unix milliseconds. */
  at: number;
  durationMs: number;
  /** What the server answered. */
  status?: number;
  /** Why there is no answer. */
  error?: WebhookFailure;
}

/** One event on its way to one server. Times are Unix milliseconds. */
export interface WebhookDelivery {
  /** `whd_`, the event and the webhook. */
  id: string;
  /** Absent: the callback of the task's own request. */
  webhookId?: string;
  /** The same over all attempts, and for all servers that are told of it. */
  eventId: string;
  type: WebhookEvent;
  /** Absent: a test. */
  taskId?: string;
  /** `failed`: given up. */
  status: 'pending' | 'delivered' | 'failed';
  createdAt: number;
  /** When it is tried next, while it is pending. */
  dueAt?: number;
  /** The latest attempts, oldest first. */
  attempts: WebhookAttempt[];
}
