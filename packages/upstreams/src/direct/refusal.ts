import { type ErrorCode, GatewayError } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import type { Verdict } from '../media/verdict.ts';
import type { WireTools } from '../media/wire-tools.ts';

/** What an upstream's refusal of a direct call says. */
export interface WireRefusal {
  verdict: Verdict;
  /** The vendor's words, unsanitised. */
  words?: string | undefined;
  /** The field that it names. */
  param?: string | undefined;
  /** When the vendor wants to be asked again, where its body says so. */
  retryAfterMs?: number;
}

const CODES: Readonly<Record<Verdict, ErrorCode>> = {
  invalid: 'invalid_request',
  moderated: 'content_policy',
  busy: 'rate_limited',
  unavailable: 'provider_overloaded',
  credential: 'provider_auth',
  balance: 'provider_quota',
  unknown: 'provider_error',
};

/** Refusals whose words are about our account, which is none of the client's business. */
const OURS: Partial<Record<Verdict, string>> = {
  credential: 'The upstream refused its credential.',
  balance: 'The upstream account has no balance.',
};

/** Turns an answer's refusal into the error that a client may see. */
export function refusalOf(
  { verdict, words, param, retryAfterMs }: WireRefusal,
  answer: UpstreamAnswer,
  tools: Pick<WireTools, 'reason' | 'later'>,
): GatewayError {
  const message = OURS[verdict] ?? tools.reason(words, `The upstream refused the request (HTTP ${answer.status}).`);
  return new GatewayError(CODES[verdict], message, {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...tools.later(answer),
    ...(verdict === 'invalid' && param !== undefined && { param }),
    ...(verdict === 'unknown' && { retryable: true }),
  });
}
