import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { type Decision, decisionOfStatus, isSuccess } from '../media/outcomes/decision.ts';
import { type JimengResponse, readJimeng } from './wire.ts';

/**
 * Codes for the moderation of text and images, before and after generation, and for copyright (Jimeng docs, "Business
 * error codes"). For 50511, 50516, 50517, and 50519, the docs suggest a retry, but a retry is a new, billed job.
 */
const MODERATED: ReadonlySet<number | undefined> = new Set([
  50_411, 50_412, 50_413, 50_511, 50_512, 50_516, 50_517, 50_518, 50_519, 50_520, 50_521, 50_522,
]);

const DECISIONS: ReadonlyMap<number, Decision> = new Map([
  [50_429, 'busy'],
  [50_430, 'busy'],
  [50_500, 'unknown'],
  [50_501, 'unknown'],
]);

/** Source: BytePlus docs, "Common error codes of BytePlus OpenAPI". BytePlus uses the same gateway and texts. */
const GATEWAY_DECISIONS: readonly [RegExp, Decision][] = [
  [/overdue|arrears|balance/i, 'balance'],
  [/^FlowLimitExceeded/, 'busy'],
  [/^ServiceUnavailable/, 'unavailable'],
  [/^Internal/, 'unknown'],
  [/signature|timestamp|accesskey|credential|token|authorization|denied|policy|^MissingRequestInfo/i, 'credential'],
];

export function isModerated({ code }: JimengResponse): boolean {
  return MODERATED.has(code);
}

/** Decides by the gateway's code, then by the service's code, and then by the status. */
export function decisionOf(status: number, response: JimengResponse): Decision {
  const { code, gatewayCode } = response;
  if (isModerated(response)) return 'moderated';
  const decision =
    gatewayCode === undefined
      ? DECISIONS.get(code ?? 0)
      : GATEWAY_DECISIONS.find(([pattern]) => pattern.test(gatewayCode))?.[1];
  return decision ?? (isSuccess(status) ? 'unknown' : decisionOfStatus(status));
}

export function refusesSignatureTime({ status, body }: UpstreamResponse): boolean {
  return readJimeng(status, body).gatewayCode === 'InvalidTimestamp';
}

export function summary(status: number, { code, gatewayCode, isGood }: JimengResponse): string {
  const shown = gatewayCode ?? code;
  return shown === undefined || isGood ? `HTTP ${status}` : `HTTP ${status}, code ${shown}`;
}
