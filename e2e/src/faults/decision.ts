import { type Client, sandboxSubmissions } from '../client.ts';
import type { Findings } from '../history.ts';
import type { Delivered } from '../webhooks/receiver.ts';

/** Violations after a fault; all lists must be empty. */
export interface Decision {
  /** Accepted, and not there any more. */
  lost: string[];
  /** Seen leaving a final state, falling back in progress or state, or in no state at all. */
  broken: string[];
  /** Not ended in time. */
  open: string[];
  /** Paid for more than once. */
  twice: string[];
}

/** The decision on a sound history. */
export const SOUND: Decision = { lost: [], broken: [], open: [], twice: [] };

/**
 * Holds a history against the model: the set of accepted tasks, of which each ends in exactly one final state and was
 * submitted at most once.
 * @param accepted ids that a create was answered with
 */
export async function decisionOn(
  accepted: readonly string[],
  findings: Findings,
  sandboxUrl: string,
): Promise<Decision> {
  const { submissions } = await sandboxSubmissions(sandboxUrl);
  const applied = new Map(submissions.map((one) => [one.task, one.applied]));
  return {
    lost: [...findings.lost, ...accepted.filter((id) => !findings.ended.has(id))],
    broken: findings.broken,
    open: findings.open,
    twice: accepted.filter((id) => (applied.get(id) ?? 0) > 1),
  };
}

/** How each task has ended: `completed`, or the code of its error. */
export function endings(ids: readonly string[], { ended }: Findings): string[] {
  return ids.map((id) => {
    const video = ended.get(id);
    return video?.status === 'failed' ? (video.error?.code ?? '') : (video?.status ?? 'never seen');
  });
}

/** Ended tasks whose owner's server received no end, or several. One end may be delivered repeatedly. */
export function notReportedOnce(ids: readonly string[], deliveries: readonly Delivered[]): string[] {
  const events = new Map<string, Set<string>>();
  for (const { headers, body } of deliveries) {
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string } }; // our own event
    const known = events.get(data.id) ?? new Set();
    events.set(data.id, known.add(`${headers['webhook-id']} ${type}`));
  }
  return ids.filter((id) => events.get(id)?.size !== 1);
}

/** Registers a webhook for all later tasks of the client. */
export async function announceEnds(client: Client, url: string): Promise<void> {
  const response = await client.fetch('/v1/webhooks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (!response.ok) throw new Error(`no webhook: ${response.status} ${await response.text()}`);
}

/** Configuration that allows a receiver on loopback, with every timer in milliseconds. */
export function webhooksTo(origin: string): Record<string, unknown> {
  return { allow: [origin], retry_ms: [200, 200], timeout_ms: 5_000, lease_ms: 10_000, poll_ms: 50 };
}
