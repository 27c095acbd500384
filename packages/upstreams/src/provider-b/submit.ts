import type { SubmitOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { said, decisionOf } from './errors.ts';
import { readJimeng } from './wire.ts';

/** Jimeng docs: every call is a POST of JSON with the action in the query. */
export function callOf(action: 'CVSync2AsyncSubmitTask' | 'CVSync2AsyncGetResult', json: object): VendorCall {
  return { method: 'POST', path: `/?Action=${action}&Version=2022-08-31`, json };
}

export function readSubmission(
  response: UpstreamResponse,
  pinned: { path?: string; seconds?: string },
  tools: WireTools,
): SubmitOutcome {
  const { status, body } = response;
  const jimeng = readJimeng(status, body);
  if (!jimeng.isGood) {
    const reason = tools.reason(jimeng.message, `The upstream returned ${said(status, jimeng)}`);
    return refusedSubmission(decisionOf(status, jimeng), reason, tools.later(response));
  }
  const upstreamId = jimeng.data.task_id;
  if (upstreamId === undefined) return { kind: 'unknown', message: 'The upstream returned a success without an id' };
  const { path, seconds } = pinned;
  return {
    kind: 'accepted',
    upstreamId,
    ...(path !== undefined && { path }),
    ...(seconds !== undefined && { seconds }),
    ...tools.later(response),
  };
}
