import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';

/** Reasons for rejections and codes for failures (Vidu docs, "Error Code") that are more specific than the status. */
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

/** Decides the meaning of a rejection or a failure. @param status HTTP status; 200 for a failed task's code */
export function decisionOf(status: number, reason: string | undefined): Decision {
  const decision = DECISIONS.get(reason ?? '');
  if (decision !== undefined && status < 500) return decision;
  return status === 200 && /^(?:Field|Image|PageSize)/.test(reason ?? '') ? 'invalid' : decisionOfStatus(status);
}
