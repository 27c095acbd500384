import type { SubmitOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, decisionOf } from './errors.ts';
import { readKling } from './wire.ts';

/**
 * Reads the response to any submission.
 * @param plan pins the path, because only the path that accepted a job finds it
 */
export function readSubmission(
  response: UpstreamResponse,
  plan: { path: string; seconds?: string },
  tools: WireTools,
): SubmitOutcome {
  const { status, body } = response;
  const kling = readKling(body);
  if (!isGood(status, kling)) {
    // References are well-formed and unique, so a refused one was sent by an attempt that the record lost. The lookup
    // finds
    // its job.
    if (kling.message?.includes('external_task_id') === true) {
      return { kind: 'unknown', message: 'The upstream already has a task with this reference' };
    }
    const reason = tools.reason(kling.message, `The upstream returned HTTP ${status}`);
    return refusedSubmission(decisionOf(status, kling), reason, tools.later(response));
  }
  const upstreamId = kling.data?.task_id;
  if (upstreamId === undefined) return { kind: 'unknown', message: 'The upstream returned a success without an id' };
  const { path, seconds } = plan;
  return { kind: 'accepted', upstreamId, path, ...(seconds !== undefined && { seconds }), ...tools.later(response) };
}
