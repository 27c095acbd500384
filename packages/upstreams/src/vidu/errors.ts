import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';

/** Reasons of refusals and codes of failures (Vidu docs, "Error Code") that are more specific than their status. */
const DECISIONS = new Map<string, Decision>([
  ['AuditSubmitIllegal', 'moderated'],
  ['TaskPromptPolicyViolation', 'moderated'],
  ['CreationPolicyViolation', 'moderated'],
  ['CreditInsufficient', 'balance'],
  ['OperationInProcess', 'busy'],
  ['QuotaExceeded', 'busy'], // concurrency limit
  ['TooManyRequests', 'busy'],
  ['SystemThrottling', 'unavailable'],
]);

/** The decision for a refusal or failure. @param status HTTP status; 200 for the code of a failed task */
export function decisionOf(status: number, reason: string | undefined): Decision {
  const decision = DECISIONS.get(reason ?? '');
  if (decision !== undefined && status < 500) return decision;
  return status === 200 && /^(?:Field|Image|PageSize)/.test(reason ?? '') ? 'invalid' : decisionOfStatus(status);
}
