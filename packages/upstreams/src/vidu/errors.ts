import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';

/** Reasons for rejections, and codes for failures, that are more specific than the status (Vidu docs, "Error Code"). */
const DECISIONS = new Map<string, Decision>([
  ['AuditSubmitIllegal', 'moderated'],
  ['TaskPromptPolicyViolation', 'moderated'],
  ['CreationPolicyViolation', 'moderated'],
  ['CreditInsufficient', 'balance'],
  ['OperationInProcess', 'busy'],
  ['QuotaExceeded', 'busy'], // The concurrency limit is reached.
  ['TooManyRequests', 'busy'],
  ['SystemThrottling', 'unavailable'],
]);

/** Maps a rejection or a failure to a decision. @param status HTTP status; 200 for a failed task's code */
export function decisionOf(status: number, reason: string | undefined): Decision {
  const decision = DECISIONS.get(reason ?? '');
  if (decision !== undefined && status < 500) return decision;
  return status === 200 && /^(?:Field|Image|PageSize)/.test(reason ?? '') ? 'invalid' : decisionOfStatus(status);
}
