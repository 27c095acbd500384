import { type Client, sandboxSubmissions } from '../client.ts';
import type { Findings } from '../history.ts';
import type { Delivered } from '../webhooks/receiver.ts';

/** Violations of the guarantees after a fault. All lists must be empty. */
export interface Violations {
  /** Tasks that were accepted but no longer exist. */
  lost: string[];
  /** Tasks that left a final state, moved back to an earlier state or progress, or had an unknown state. */
  broken: string[];
  open: string[];
  twice: string[];
}

export const NO_VIOLATIONS: Violations = { lost: [], broken: [], open: [], twice: [] };

/**
 * Checks that each accepted task ends in exactly one final state and was submitted at most once.
 * @param accepted ids of the accepted tasks
 */
export async function violationsIn(
  accepted: readonly string[],
  findings: Findings,
  sandboxUrl: string,
): Promise<Violations> {
  const { submissions } = await sandboxSubmissions(sandboxUrl);
  const applied = new Map(submissions.map((one) => [one.task, one.applied]));
  return {
    lost: [...findings.lost, ...accepted.filter((id) => !findings.ended.has(id))],
    broken: findings.broken,
    open: findings.open,
    twice: accepted.filter((id) => (applied.get(id) ?? 0) > 1),
  };
}

/** Returns each task's outcome: `completed`, or its error code. */
export function endings(ids: readonly string[], { ended }: Findings): string[] {
  return ids.map((id) => {
    const video = ended.get(id);
    return video?.status === 'failed' ? (video.error?.code ?? '') : (video?.status ?? 'never seen');
  });
}

/**
 * Returns the tasks whose final event was not delivered under exactly one webhook id. Repeated deliveries of an event
 * have the same id.
 */
export function notDeliveredOnce(ids: readonly string[], deliveries: readonly Delivered[]): string[] {
  const events = new Map<string, Set<string>>();
  for (const { headers, body } of deliveries) {
    // The cast is safe because the gateway's events have this format.
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string } };
    const received = events.get(data.id) ?? new Set();
    events.set(data.id, received.add(`${headers['webhook-id']} ${type}`));
  }
  return ids.filter((id) => events.get(id)?.size !== 1);
}

export async function registerWebhook(client: Client, url: string): Promise<void> {
  const response = await client.fetch('/v1/webhooks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (!response.ok) throw new Error(`The webhook was rejected: ${response.status} ${await response.text()}`);
}

/** Returns webhook settings with short timers that allow a receiver on the loopback interface. */
export function webhooksTo(origin: string): Record<string, unknown> {
  return { allow: [origin], retry_ms: [200, 200], timeout_ms: 5_000, lease_ms: 10_000, poll_ms: 50 };
}
