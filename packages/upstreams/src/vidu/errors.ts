import { type Decision, decisionOfStatus } from '../media/decision.ts';

/** Reasons of refusals and codes of failures (Vidu docs, "Error Code") that say more than their status. */
const DECISIONS = new Map<string, Decision>([
  ['AuditSubmitIllegal', 'moderated'],
  ['TaskPromptPolicyViolation', 'moderated'],
  ['CreationPolicyViolation', 'moderated'],
  ['CreditInsufficient', 'balance'],
  ['OperationInProcess', 'busy'],
  ['QuotaExceeded', 'busy'], // how many may run at once
  ['TooManyRequests', 'busy'],
  ['SystemThrottling', 'unavailable'],
]);

/** What a refusal or failure of Vidu means. @param status of HTTP, 200 for the code of a failed task */
export function decisionOf(status: number, reason: string | undefined): Decision {
  const decision = DECISIONS.get(reason ?? '');
  if (decision !== undefined && status < 500) return decision;
  return status === 200 && /^(?:Field|Image|PageSize)/.test(reason ?? '') ? 'invalid' : decisionOfStatus(status);
}
