import { sandboxSubmissions } from '../client.ts';
import type { Findings } from '../history.ts';

/** What speaks against the system after a fault: all of it must be empty. */
export interface Verdict {
  /** Accepted, and not there any more. */
  lost: string[];
  /** Seen leaving a final state, falling back in progress or state, or in no state at all. */
  broken: string[];
  /** Not ended in time. */
  open: string[];
  /** Paid for more than once. */
  twice: string[];
}

/** The verdict over a sound history. */
export const SOUND: Verdict = { lost: [], broken: [], open: [], twice: [] };

/**
 * Holds a history against the model: the set of accepted tasks, of which each ends in exactly one final state and was
 * submitted at most once.
 * @param accepted ids that a create was answered with
 */
export async function verdictOn(accepted: readonly string[], findings: Findings, sandboxUrl: string): Promise<Verdict> {
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
