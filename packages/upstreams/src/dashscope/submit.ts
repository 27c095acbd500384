import type { SubmitOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { madeOutcome } from '../media/outcomes/made-outcome.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, said, decisionOf } from './errors.ts';
import { type DashscopeResponse, imagesOf, readDashscope } from './wire.ts';

export const SERVICES = '/api/v1/services/aigc';

/** Makes the call create a task. Without it: "current user api does not support synchronous calls". */
export const AS_TASK = { 'x-dashscope-async': 'enable' } as const;

export function readTaskSubmission(
  response: UpstreamResponse,
  seconds: string | undefined,
  tools: WireTools,
): SubmitOutcome {
  const read = readDashscope(response.body);
  if (!isGood(response.status, read)) return refused(response, read, tools);
  const upstreamId = read.output?.task_id;
  if (upstreamId === undefined) return { kind: 'unknown', message: 'The upstream returned a success without an id' };
  return { kind: 'accepted', upstreamId, ...(seconds !== undefined && { seconds }), ...tools.later(response) };
}

/** Reads the response of a synchronous image call. */
export function readMadeImages(response: UpstreamResponse, tools: WireTools): SubmitOutcome {
  const read = readDashscope(response.body);
  if (!isGood(response.status, read)) {
    // The model was already running. A call that only creates a task created none.
    return /^ModelServingError/i.test(read.code ?? '')
      ? { kind: 'unknown', message: `The upstream returned ${said(response.status, read)}` }
      : refused(response, read, tools);
  }
  // The response is not in the vendor's format: the images may still exist.
  if (!read.output?.choices) return { kind: 'unknown', message: 'The upstream returned a success without images' };
  return madeOutcome(imagesOf(read).map((url) => ({ url })));
}

function refused(response: UpstreamResponse, read: DashscopeResponse, tools: WireTools): SubmitOutcome {
  const reason = tools.reason(read.message, `The upstream returned ${said(response.status, read)}`);
  return refusedSubmission(decisionOf(response.status, read.code), reason, tools.later(response));
}
