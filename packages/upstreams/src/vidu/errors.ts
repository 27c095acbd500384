import { type Verdict, verdictOfStatus } from '../media/verdict.ts';

/** Reasons of refusals and codes of failures (Vidu docs, "Error Code") that say more than their status. */
const VERDICTS = new Map<string, Verdict>([
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
export function verdictOf(status: number, reason: string | undefined): Verdict {
  const verdict = VERDICTS.get(reason ?? '');
  if (verdict !== undefined && status < 500) return verdict;
  return status === 200 && /^(?:Field|Image|PageSize)/.test(reason ?? '') ? 'invalid' : verdictOfStatus(status);
}
