/** Events with a task. A canceled task sends a `failed` event, because its public status is also `failed`. */
const TASK_EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

/** Events with only the id of an object, as OpenAI sends them. The part before the dot is the object's type. */
const OBJECT_EVENTS = [
  'response.completed',
  'response.failed',
  'response.incomplete',
  'response.cancelled',
  'batch.completed',
  'batch.failed',
  'batch.expired',
  'batch.cancelled',
  'group.completed',
  'group.cancelled',
] as const;

/** Event types of webhooks. */
export const WEBHOOK_EVENTS = [...TASK_EVENTS, ...OBJECT_EVENTS] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The object of an event that contains only its id. */
export interface EventObject {
  id: string;
}

export function isObjectEvent(type: WebhookEvent): boolean {
  return OBJECT_EVENTS.some((event) => event === type);
}

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

/** The stored part of a receiver's response. */
export interface WebhookResponse {
  /** A few headers without credentials, in lower case. */
  headers: Record<string, string>;
  /** The beginning of the body, if it is text. */
  body?: string;
  /** Whether the rest of the body was not stored. */
  isTruncated?: boolean;
}

export interface WebhookAttempt {
  at: number;
  durationMs: number;
  status?: number;
  error?: WebhookFailure;
  /** Only if the delivery was read with its responses. */
  response?: WebhookResponse;
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
  /** The task or the object of the event. Absent for a test event. */
  taskId?: string;
  /** `failed` means that all attempts failed. */
  status: 'pending' | 'delivered' | 'failed';
  createdAt: number;
  dueAt?: number;
  /** The latest attempts, oldest first. */
  attempts: WebhookAttempt[];
}
