import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { type Decision, decisionOfStatus, isSuccess } from '../media/outcomes/decision.ts';
import { type KlingResponse, readKling } from './wire.ts';

/** "The requested resource does not exist, such as the model". Kling also sends this code for unknown jobs. */
export const NO_SUCH_RESOURCE = 1203;

/** The codes for "not yet valid" and "expired". The token's time is wrong, and the request was not processed. */
const TOKEN_TIME: ReadonlySet<number | undefined> = new Set([1003, 1004]);

/**
 * Decisions by vendor code (Kling docs, "Error code"). The HTTP status is ambiguous: 429 means throttling (1302, 1303),
 * no balance (1101, 1102), or an invalid account (1100, 1304).
 */
const DECISIONS: ReadonlyMap<number, Decision> = new Map([
  [1000, 'credential'],
  [1001, 'credential'],
  [1002, 'credential'],
  [1003, 'credential'],
  [1004, 'credential'],
  [1100, 'credential'],
  [1101, 'balance'],
  [1102, 'balance'],
  [1103, 'credential'],
  [1200, 'invalid'],
  [1201, 'invalid'],
  [1202, 'invalid'],
  [NO_SUCH_RESOURCE, 'invalid'],
  [1300, 'moderated'],
  [1301, 'moderated'],
  [1302, 'busy'],
  [1303, 'busy'],
  [1304, 'credential'],
  [5000, 'unknown'],
  [5001, 'unavailable'],
  [5002, 'unknown'],
]);

/** Chooses the decision for an unlisted code from its family (Kling docs, "Error code"). */
function familyDecision(status: number, code: number): Decision | undefined {
  switch (Math.floor(code / 100)) {
    case 10:
      return 'credential';
    case 11:
      return status === 402 ? 'balance' : 'credential';
    case 12:
      return 'invalid';
    default:
      return undefined; // The 13xx family contains both policies and limits.
  }
}

/** Decides by the code or, if it is unknown, by the status. A success status without a success code is ambiguous. */
export function decisionOf(status: number, { code }: KlingResponse): Decision {
  const decision = code === undefined ? undefined : (DECISIONS.get(code) ?? familyDecision(status, code));
  return decision ?? (isSuccess(status) ? 'unknown' : decisionOfStatus(status));
}

export function refusesTokenTime({ body }: UpstreamResponse): boolean {
  return TOKEN_TIME.has(readKling(body).code);
}

export function isGood(status: number, { code }: KlingResponse): boolean {
  return isSuccess(status) && code === 0;
}

/**
 * Whether a failed job was moderated. Only the job's message shows this (Kling docs, `task_status_msg`: "the failure
 * reason when the task fails, such as triggering the content risk control of the platform").
 */
export function isModeration(message: string | undefined): boolean {
  return /risk[ -]control|sensitive|moderat|content (?:policy|safety)|风控|敏感|违规/i.test(message ?? '');
}

export function summary(status: number, { code }: KlingResponse): string {
  return code === undefined || code === 0 ? `HTTP ${status}` : `HTTP ${status}, code ${code}`;
}
