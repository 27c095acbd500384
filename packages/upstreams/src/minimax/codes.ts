import { type SubmitOutcome, unexpectedMessage } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { type Decision, decisionOfStatus, isSuccess } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { type MinimaxRefusal, WireRefusal, WireSubmitted } from './wire.ts';

/** MiniMax docs, "Error Codes". Unlisted codes are ambiguous, e.g. 1000 (unknown) and 1001 (timeout). */
const DECISIONS = new Map<string, Decision>([
  ['1002', 'busy'], // Too many requests per minute.
  ['1004', 'credential'],
  ['1008', 'balance'],
  ['1026', 'moderated'], // The input is blocked.
  ['1027', 'moderated'], // The output is blocked.
  ['1039', 'busy'], // Too many tokens per minute.
  ['1041', 'busy'], // Too many connections.
  ['1042', 'invalid'], // Too many invisible characters.
  ['2013', 'invalid'],
  ['2045', 'busy'], // The request rate grows too fast.
  ['2049', 'credential'],
  ['2056', 'balance'], // The plan's allowance is used up.
  ['2061', 'credential'], // The plan does not include the model.
]);

export function decisionOfCode(code: number | string | undefined): Decision | undefined {
  return DECISIONS.get(String(code));
}

/**
 * Maps an error to a decision. The code takes precedence over the status, because v1 sends most errors with HTTP 200
 * and some with 500.
 */
function decisionOf(status: number, refusal: MinimaxRefusal): Decision {
  const inMessage = /\((\d{4})\)\s*$/.exec(refusal?.error?.message ?? '')?.[1];
  const decision = decisionOfCode(refusal?.base_resp?.status_code ?? inMessage);
  if (decision !== undefined) return decision;
  if (refusal?.error?.type === 'overloaded_error') return 'unavailable';
  return decisionOfStatus(status);
}

/** Reads a v1 or v2 submission. An error code takes precedence over the id and the HTTP status. */
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
    ? unexpectedMessage(`HTTP ${status} without an id`, 'submission')
    : (refusal?.error?.message ?? refusal?.base_resp?.status_msg);
  return tools.refused(response, decisionOf(status, refusal), text);
}
