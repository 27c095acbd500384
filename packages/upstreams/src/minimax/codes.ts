import { type Decision, decisionOfStatus } from '../media/decision.ts';
import type { MinimaxRefusal } from './wire.ts';

/** MiniMax docs, "Error Codes"; what is not here says nothing definite, as 1000 unknown and 1001 timeout do. */
const DECISIONS = new Map<string, Decision>([
  ['1002', 'busy'], // requests per minute
  ['1004', 'credential'],
  ['1008', 'balance'],
  ['1026', 'moderated'], // what came in
  ['1027', 'moderated'], // what came out
  ['1039', 'busy'], // tokens per minute
  ['1041', 'busy'], // connections
  ['1042', 'invalid'], // too many invisible characters
  ['2013', 'invalid'],
  ['2045', 'busy'], // the number of requests grows too fast
  ['2049', 'credential'],
  ['2056', 'balance'], // the plan's allowance is used up
  ['2061', 'credential'], // the plan does not include the model
]);

/** What a code of MiniMax says; nothing where it says nothing definite. */
export function decisionOfCode(code: number | string | undefined): Decision | undefined {
  return DECISIONS.get(String(code));
}

/** What a refusal means. The code counts before the status: of v1 most come with HTTP 200, and some with 500. */
export function decisionOf(status: number, refusal: MinimaxRefusal): Decision {
  const inMessage = /\((\d{4})\)\s*$/.exec(refusal?.error?.message ?? '')?.[1];
  const decision = decisionOfCode(refusal?.base_resp?.status_code ?? inMessage);
  if (decision !== undefined) return decision;
  if (refusal?.error?.type === 'overloaded_error') return 'unavailable';
  return decisionOfStatus(status);
}

/** The vendor's words of a refusal. */
export function wordsOf(refusal: MinimaxRefusal): string | undefined {
  return refusal?.error?.message ?? refusal?.base_resp?.status_msg;
}
