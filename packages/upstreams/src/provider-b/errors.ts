import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { type Decision, decisionOfStatus } from '../media/decision.ts';
import { type JimengResponse, readJimeng } from './wire.ts';

/**
 * Jimeng docs, "Business error codes": text and pictures that were audited before and after, and copyright. Of 50511,
 * 50516, 50517 and 50519 the docs say that another try may pass; that would be a new job, and is paid again.
 */
const MODERATED: ReadonlySet<number | undefined> = new Set([
  50_411, 50_412, 50_413, 50_511, 50_512, 50_516, 50_517, 50_518, 50_519, 50_520, 50_521, 50_522,
]);

/** The others of that table. */
const DECISIONS: ReadonlyMap<number, Decision> = new Map([
  [50_429, 'busy'],
  [50_430, 'busy'],
  [50_500, 'unknown'],
  [50_501, 'unknown'],
]);

/** BytePlus docs, "Common error codes of BytePlus OpenAPI": the same gateway, whose words are the same. */
const GATEWAY_DECISIONS: readonly [RegExp, Decision][] = [
  [/overdue|arrears|balance/i, 'balance'],
  [/^FlowLimitExceeded/, 'busy'],
  [/^ServiceUnavailable/, 'unavailable'],
  [/^Internal/, 'unknown'],
  [/signature|timestamp|accesskey|credential|token|authorization|denied|policy|^MissingRequestInfo/i, 'credential'],
];

/** Whether the code says that the content was refused. */
export function isModerated({ code }: JimengResponse): boolean {
  return MODERATED.has(code);
}

/** What a refusal means: the gateway's word, else the service's code, else the status. */
export function decisionOf(status: number, response: JimengResponse): Decision {
  const { code, gatewayCode } = response;
  if (isModerated(response)) return 'moderated';
  const told =
    gatewayCode === undefined
      ? DECISIONS.get(code ?? 0)
      : GATEWAY_DECISIONS.find(([word]) => word.test(gatewayCode))?.[1];
  return told ?? (status >= 200 && status < 300 ? 'unknown' : decisionOfStatus(status));
}

/** Whether a call was refused for the time of its signature alone. */
export function refusesSignatureTime({ status, body }: UpstreamResponse): boolean {
  return readJimeng(status, body).gatewayCode === 'InvalidTimestamp';
}

/** An answer in short: `HTTP 429, code 50430`. */
export function said(status: number, { code, gatewayCode, isGood }: JimengResponse): string {
  const told = gatewayCode ?? code;
  return told === undefined || isGood ? `HTTP ${status}` : `HTTP ${status}, code ${told}`;
}
