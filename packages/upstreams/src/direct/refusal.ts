import { type ErrorCode, GatewayError } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { Decision } from '../media/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';

/** What an upstream's refusal of a direct call says. */
export interface WireRefusal {
  decision: Decision;
  /** The vendor's words, unsanitised. */
  words?: string | undefined;
  /** The field that it names, unsanitised. */
  param?: string | undefined;
  /** Whether a code of the vendor's says that the request is longer than the model reads; words may say so, too. */
  isTooLong?: boolean;
  /** When the vendor wants to be asked again, where its body says so. */
  retryAfterMs?: number;
}

const CODES: Readonly<Record<Decision, ErrorCode>> = {
  invalid: 'invalid_request',
  moderated: 'content_policy',
  busy: 'rate_limited',
  unavailable: 'provider_overloaded',
  credential: 'provider_auth',
  balance: 'provider_quota',
  unknown: 'provider_error',
};

/** Refusals whose words are about our account, which is none of the client's business. */
const OURS: Partial<Record<Decision, string>> = {
  credential: 'The upstream refused its credential.',
  balance: 'The upstream account has no balance.',
};

/** How OpenAI, Google, Cohere, Jina and the servers of open models say that there are too many tokens. */
const TOO_LONG =
  /context[_ ](?:length|window|size)|maximum (?:context|sequence|model) length|(?:prompt|input) is too long|too many (?:input )?tokens|input token count|maximum number of (?:input )?tokens|(?:cannot exceed|must have less than) \d+ tokens/i;
/** What a field's path looks like. */
const FIELD = /^[\w.[\]-]{1,100}$/;

/**
 * Turns an answer's refusal into the error that a client may see.
 * @param model the model's name at the upstream
 */
export function refusalOf(
  { decision, words, param, isTooLong = false, retryAfterMs }: WireRefusal,
  response: UpstreamResponse,
  tools: Pick<WireTools, 'reason' | 'later'>,
  model?: string,
): GatewayError {
  const about = model === undefined ? {} : { model };
  const otherwise = `The upstream refused the request (HTTP ${response.status}).`;
  const message = OURS[decision] ?? tools.reason(words, otherwise, about);
  const isLong = decision === 'invalid' && (isTooLong || TOO_LONG.test(words ?? ''));
  // Whatever would have to be hidden in it is no field.
  const isField = param !== undefined && FIELD.test(param) && tools.reason(param, '') === param;
  return new GatewayError(isLong ? 'context_length_exceeded' : CODES[decision], message, {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...tools.later(response),
    ...(decision === 'invalid' && isField && { param }),
    ...(decision === 'unknown' && { retryable: true }),
  });
}
