import { type ErrorCode, GatewayError, UPSTREAM_MESSAGES, statusMessage } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { Decision } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';

export interface WireRefusal {
  decision: Decision;
  text?: string | undefined;
  param?: string | undefined;
  /** Whether the code means that the request exceeds the context window. The message is checked separately. */
  isTooLong?: boolean;
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

const OURS: Partial<Record<Decision, string>> = {
  credential: UPSTREAM_MESSAGES.credentialRejected,
  balance: UPSTREAM_MESSAGES.quotaExhausted,
};

/** Error messages about too many tokens, from OpenAI, Google, Cohere, Jina, and servers for open models. */
const TOO_LONG =
  /context[_ ](?:length|window|size)|maximum (?:context|sequence|model) length|(?:prompt|input) is too long|too many (?:input )?tokens|input token count|maximum number of (?:input )?tokens|(?:cannot exceed|must have less than) \d+ tokens/i;
const FIELD = /^[\w.[\]-]{1,100}$/;

/** Maps a vendor's error to the error that the client sees. @param model the model's upstream name */
export function refusalOf(
  { decision, text, param, isTooLong = false, retryAfterMs }: WireRefusal,
  response: UpstreamResponse,
  tools: Pick<WireTools, 'reason' | 'retryDelay'>,
  model?: string,
): GatewayError {
  const about = model === undefined ? {} : { model };
  const message = OURS[decision] ?? tools.reason(text, statusMessage(response.status), about);
  const isLong = decision === 'invalid' && (isTooLong || TOO_LONG.test(text ?? ''));
  // If sanitizing changes the value, it is not a field name.
  const isField = param !== undefined && FIELD.test(param) && tools.reason(param, '') === param;
  return new GatewayError(isLong ? 'context_length_exceeded' : CODES[decision], message, {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...tools.retryDelay(response),
    ...(decision === 'invalid' && isField && { param }),
    ...(decision === 'unknown' && { retryable: true }),
  });
}
