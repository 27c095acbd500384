import type {
  EventObject,
  MediaTask,
  WebhookAttempt,
  WebhookEvent,
  WebhookFailure,
  WebhookResponse,
} from '@sluice/canonical';
import type { Logger, StepTrace } from '@sluice/telemetry';
import { hostOf } from '../store/host-of.ts';
import { eventObjectOf } from './event-object.ts';
import { sampleTask } from './sample-task.ts';
import type { SecretCipher } from '../registry/secret-cipher.ts';
import { type EncryptedSecrets, secretsAt, signatureHeaders } from '../registry/signing-secrets.ts';
import type { StoredDelivery } from '../store/stored-delivery.ts';
import type { WebhookRegistry } from '../registry/webhook-registry.ts';

/** An event without its task or object. */
export interface EventInfo {
  /** The same for all attempts and endpoints of an event. */
  id: string;
  type: WebhookEvent;
  at: number; // Unix milliseconds.
  /** Format of the body: a webhook event, or a callback in provider-a's format. */
  shape: StoredDelivery['shape'];
}

/** The result of a `GuardedPost`, which is defined in `packages/upstreams`. */
type PostOutcome =
  | { status: number; retryAfterMs?: number; response?: WebhookResponse }
  | { failure: 'invalid_url' | 'forbidden_address' | 'timeout' | 'network' | 'aborted' };

export interface AttemptContext {
  registry: Pick<WebhookRegistry, 'target' | 'keySecrets' | 'retire'>;
  cipher: SecretCipher;
  /** Returns undefined if the task does not exist or is deleted. */
  loadTask: (id: string) => Promise<MediaTask | undefined>;
  isRevoked: (ownerId: string) => Promise<boolean>;
  /** Must always return the same body for the same arguments. */
  encodeEvent: (subject: MediaTask | EventObject, event: EventInfo) => string;
  /** Sends the request through the guarded client. Never throws. */
  post: (
    url: string,
    posting: { headers: Record<string, string>; body: string; signal: AbortSignal },
  ) => Promise<PostOutcome>;
  /** Starts the span of a POST in the task's trace. Returns undefined if the task has none. */
  startTrace?: ((task: MediaTask, event: EventInfo) => StepTrace | undefined) | undefined;
  logger: Pick<Logger, 'info' | 'debug' | 'error'>;
  now: () => number;
  /** Aborts when the process must stop without waiting for the attempt. */
  signal: AbortSignal;
}

/** An attempt without the response, which is stored separately and never logged. */
type AttemptFacts = Omit<WebhookAttempt, 'response'>;

/**
 * The result of an attempt. `release` returns the delivery to the queue without counting the attempt. This happens if
 * its outcome is unknown, if the delivery has moved to another host, if the attempt could outlast its lease, or if the
 * task cannot be read now.
 */
export type AttemptResult =
  | { outcome: 'delivered' | 'failed'; attempt: AttemptFacts; response?: WebhookResponse | undefined }
  | { outcome: 'retry'; attempt: AttemptFacts; response?: WebhookResponse | undefined; retryAfterMs?: number }
  | { outcome: 'release'; afterMs?: number };

interface Destination {
  url: string;
  secrets: EncryptedSecrets;
}

/**
 * Attempts a delivery once. 2xx means that it was delivered. 410 ends the delivery and disables its webhook, as
 * Standard Webhooks specifies, unless the webhook's URL has changed. After any other response, the delivery is retried.
 * Nothing is sent for a deleted task, a deleted or disabled webhook, or an owner whose key was revoked.
 * @param startBy latest time to start the POST, in Unix milliseconds; after that, another worker may take over
 */
export async function attemptDelivery(
  context: AttemptContext,
  delivery: StoredDelivery,
  startBy: number,
): Promise<AttemptResult> {
  const at = context.now();
  const destination = await findDestination(context, delivery);
  if (typeof destination === 'string') return unsent(at, destination);
  if (hostOf(destination.url) !== delivery.host) return { outcome: 'release' };
  const subject = await findSubject(context, delivery, at);
  if (!subject) return unsent(at, 'task_deleted');
  const event: EventInfo = {
    id: delivery.eventId,
    type: delivery.type,
    at: delivery.eventAt,
    shape: delivery.shape,
  };
  let body: string;
  let headers: Record<string, string>;
  try {
    body = context.encodeEvent(subject, event);
    const secrets = secretsAt(destination.secrets, context.cipher, at, () =>
      context.logger.info({ delivery: delivery.id }, 'earlier webhook secret skipped: it cannot be decrypted'),
    );
    headers = { 'content-type': 'application/json', ...signatureHeaders(secrets, { id: event.id, at, body }) };
  } catch (err) {
    context.logger.error({ err, delivery: delivery.id }, 'webhook could not be signed');
    return { outcome: 'retry', attempt: { at, durationMs: 0, error: 'internal_error' } };
  }
  if (context.now() > startBy) return { outcome: 'release' };
  const trace = 'kind' in subject ? context.startTrace?.(subject, event) : undefined;
  const posted = await context.post(destination.url, { headers, body, signal: context.signal });
  if (trace) endTrace(trace, posted);
  const durationMs = Math.max(0, context.now() - at);
  if ('failure' in posted) {
    if (posted.failure === 'aborted') return { outcome: 'release' };
    const attempt = { at, durationMs, error: posted.failure };
    return { outcome: posted.failure === 'invalid_url' ? 'failed' : 'retry', attempt };
  }
  const { status, retryAfterMs, response } = posted;
  const attempt = { at, durationMs, status };
  if (status >= 200 && status < 300) return { outcome: 'delivered', attempt, response };
  if (status === 410) {
    const { webhookId } = delivery;
    const hasEnded = webhookId === undefined || (await context.registry.retire(webhookId, destination.url));
    return { outcome: hasEnded ? 'failed' : 'retry', attempt, response };
  }
  return { outcome: 'retry', attempt, response, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function endTrace(trace: StepTrace, posted: PostOutcome): void {
  if ('failure' in posted) return trace.end({ error: posted.failure });
  const { status } = posted;
  const isDelivered = status >= 200 && status < 300;
  const attributes = { 'http.response.status_code': status };
  trace.end({ attributes, error: isDelivered ? undefined : String(status) });
}

async function findSubject(
  { loadTask }: Pick<AttemptContext, 'loadTask'>,
  delivery: StoredDelivery,
  at: number,
): Promise<MediaTask | EventObject | undefined> {
  const object = eventObjectOf(delivery);
  if (object) return object;
  return delivery.taskId === undefined ? sampleTask(delivery.type, at) : loadTask(delivery.taskId);
}

async function findDestination(
  { registry, isRevoked }: AttemptContext,
  { webhookId, callbackUrl, ownerId }: StoredDelivery,
): Promise<Destination | WebhookFailure> {
  if (await isRevoked(ownerId)) return 'key_revoked';
  if (webhookId === undefined) return { url: callbackUrl ?? '', secrets: await registry.keySecrets(ownerId) };
  const target = await registry.target(webhookId);
  if (!target) return 'webhook_deleted';
  return target.isDisabled ? 'webhook_disabled' : target;
}

function unsent(at: number, error: WebhookFailure): AttemptResult {
  return { outcome: 'failed', attempt: { at, durationMs: 0, error } };
}
