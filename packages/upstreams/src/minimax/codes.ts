import type { SubmitOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { type Decision, decisionOfStatus, isSuccess } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { type MinimaxRefusal, WireRefusal, WireSubmitted } from './wire.ts';

/** MiniMax docs, "Error Codes". Unlisted codes are ambiguous, e.g. 1000 (unknown) and 1001 (timeout). */
const DECISIONS = new Map<string, Decision>([
  ['1002', 'busy'], // requests per minute
  ['1004', 'credential'],
  ['1008', 'balance'],
  ['1026', 'moderated'], // input
  ['1027', 'moderated'], // output
  ['1039', 'busy'], // tokens per minute
  ['1041', 'busy'], // connections
  ['1042', 'invalid'], // too many invisible characters
  ['2013', 'invalid'],
  ['2045', 'busy'], // request rate grows too fast
  ['2049', 'credential'],
  ['2056', 'balance'], // plan allowance used up
  ['2061', 'credential'], // model not in the plan
]);

export function decisionOfCode(code: number | string | undefined): Decision | undefined {
  return DECISIONS.get(String(code));
}

/**
 * Decides an error's meaning. The code takes precedence, because v1 sends most errors with HTTP 200 and some with 500.
 */
function decisionOf(status: number, refusal: MinimaxRefusal): Decision {
  const inMessage = /\((\d{4})\)\s*$/.exec(refusal?.error?.message ?? '')?.[1];
  const decision = decisionOfCode(refusal?.base_resp?.status_code ?? inMessage);
  if (decision !== undefined) return decision;
  if (refusal?.error?.type === 'overloaded_error') return 'unavailable';
  return decisionOfStatus(status);
}

/** Reads a v1 or v2 submission. A code that reports an error overrides the id and the HTTP status. */
export function readSubmission(
  response: UpstreamResponse,
  { seconds }: { seconds?: string },
  tools: WireTools,
): SubmitOutcome {
  const { status, body } = response;
  const submitted = WireSubmitted.parse(body);
  const refusal = WireRefusal.parse(body);
  const isAccepted = isSuccess(status) && (submitted?.base_resp?.status_code ?? 0) === 0;
  if (isAccepted && submitted?.task_id !== undefined) return tools.accepted(response, submitted.task_id, { seconds });
  const text = isAccepted
    ? `The upstream returned HTTP ${status} without an id.`
    : (refusal?.error?.message ?? refusal?.base_resp?.status_msg);
  return tools.refused(response, decisionOf(status, refusal), text);
}
