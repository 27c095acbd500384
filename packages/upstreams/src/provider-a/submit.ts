import type { SubmitOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { refusedSubmission } from '../media/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, decisionOf } from './errors.ts';
import { readKling } from './wire.ts';

/**
 * Reads the answer to a submission, whatever was asked for.
 * @param plan the path is pinned, since a job is found under the path alone that accepted it
 */
export function readSubmission(
  response: UpstreamResponse,
  plan: { path: string; seconds?: string },
  tools: WireTools,
): SubmitOutcome {
  const { status, body } = response;
  const kling = readKling(body);
  if (!isGood(status, kling)) {
    // Our reference is always well formed and never used twice: one that is refused was sent by a life of ours that the
    // record has forgotten, and the look-up finds its job.
    if (kling.message?.includes('external_task_id') === true) {
      return { kind: 'unknown', message: 'The upstream has a task of this reference already' };
    }
    const reason = tools.reason(kling.message, `The upstream answered HTTP ${status}`);
    return refusedSubmission(decisionOf(status, kling), reason, tools.later(response));
  }
  const upstreamId = kling.data?.task_id;
  if (upstreamId === undefined) return { kind: 'unknown', message: 'The upstream answered success without an id' };
  const { path, seconds } = plan;
  return { kind: 'accepted', upstreamId, path, ...(seconds !== undefined && { seconds }), ...tools.later(response) };
}
