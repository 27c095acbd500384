import { type Decision, decisionOfStatus, isSuccess } from '../media/outcomes/decision.ts';

/** Decisions by vendor code. The first matching row applies. Source: Alibaba docs, "Error messages". */
const DECISIONS: readonly [RegExp, Decision][] = [
  [/^(data_?inspection|ip_?infringement)/i, 'moderated'],
  [/^(Throttling|limit_?requests)/i, 'busy'],
  [/^(Arrearage|(Prepaid|Postpaid)Bill|CommodityNotPurchased|AllocationQuota|insufficient_?quota)/i, 'balance'],
  [/^(invalid_?api_?-?key|NotAuthori[sz]ed)|AccessDenied|access_denied/i, 'credential'],
  [/^(Internal_?Error|SystemError|\w*Time_?out)/i, 'unknown'],
  [/^(ServiceUnavailable|ModelUnavailable|ModelServingError)/i, 'unavailable'],
  [/^(Invalid|BadRequest|UnsupportedOperation|Model_?\.?Not)/i, 'invalid'],
];

export function decisionOfCode(code: string | undefined): Decision | undefined {
  return code === undefined ? undefined : DECISIONS.find(([pattern]) => pattern.test(code))?.[1];
}

export function decisionOf(status: number, code: string | undefined): Decision {
  return decisionOfCode(code) ?? (isSuccess(status) ? 'unknown' : decisionOfStatus(status));
}

export function isGood(status: number, { code }: { code?: string | undefined }): boolean {
  return isSuccess(status) && code === undefined;
}

export function summary(status: number, { code }: { code?: string | undefined }): string {
  return code !== undefined && /^[\w.-]{1,60}$/.test(code) ? `HTTP ${status}, code ${code}` : `HTTP ${status}`;
}
