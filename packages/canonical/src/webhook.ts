/** Event types of webhooks. A canceled task sends a `failed` event, because its public status is also `failed`. */
export const WEBHOOK_EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A client's endpoint for the events of all tasks created with the client's key. Times are Unix milliseconds. */
export interface Webhook {
  id: string;
  url: string;
  name: string;
  events: WebhookEvent[];
  /** Absent if the webhook is enabled. `gone` means that the server returned 410. */
  disabled?: 'by_owner' | 'gone';
  createdAt: number;
  updatedAt: number;
  secretHint: string;
  /** Until this time, deliveries are also signed with the previous secret. */
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
  /** For this outcome and those below, no request was sent. */
  | 'webhook_deleted'
  | 'webhook_disabled'
  | 'task_deleted'
  | 'key_revoked'
  /** For example, the secret cannot be read. The worker's log contains details. */
  | 'internal_error';

export interface WebhookAttempt {
  at: number;
  durationMs: number;
  status?: number;
  error?: WebhookFailure;
}

/** The delivery of one event to one endpoint. Times are Unix milliseconds. */
export interface WebhookDelivery {
  /** `whd_`, followed by the ids of the event and the webhook without their prefixes. */
  id: string;
  /** Absent if the delivery goes to the callback URL in the task's request. */
  webhookId?: string;
  /** The same for all attempts and endpoints of an event. */
  eventId: string;
  type: WebhookEvent;
  /** Absent for a test event. */
  taskId?: string;
  /** `failed` means that all attempts failed. */
  status: 'pending' | 'delivered' | 'failed';
  createdAt: number;
  dueAt?: number;
  /** The latest attempts, oldest first. */
  attempts: WebhookAttempt[];
}
