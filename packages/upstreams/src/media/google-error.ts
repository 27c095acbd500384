import type { z } from 'zod';
import { lenient, list, Numeric, Text } from './lenient.ts';
import { type Decision, decisionOfStatus } from './outcomes/decision.ts';

/** `{error: {code, message, status, details}}`, the error format of all Google APIs. */
export const WireGoogleError = lenient({
  code: Numeric,
  message: Text,
  /** For example `INVALID_ARGUMENT` or `RESOURCE_EXHAUSTED`. */
  status: Text,
  details: list(lenient({ reason: Text, retryDelay: Text })),
});

export type GoogleError = z.output<typeof WireGoogleError>;

/** Gemini API docs, "Troubleshooting": 400 for an invalid key, and 429 for rate limits and for a missing balance. */
const WRONG_KEY = /api key (?:not valid|not found|expired)/i;
const NO_BALANCE =
  /prepa(?:y|id)|credits? (?:are|is) depleted|spend(?:ing)? (?:cap|limit)|billing|free (?:tier|quota)/i;
const MODERATION = /prohibited|blocked by|safety|polic(?:y|ies)|responsible ai|usage guidelines/i;

/** Matches names of fields and values (e.g. `safety_settings`, `'x.y'`), which are not prompt content. */
const NAMES = /(['"`])[\w.[\]*-]+\1|\b\w+(?:[.[_]\w[\w.[\]]*)+|\b[a-z]+[A-Z]\w*/g;
/** Matches messages about an invalid field, which are not about forbidden content. */
const WRONG_FIELD =
  /\b(?:invalid (?:value|json|field)|unknown (?:name|field)|cannot find field|unsupported (?:value|field))/i;
const REFUSED_CONTENT = /prohibited|blocked by|violat|usage guidelines/i;

function isModeration(text: string): boolean {
  const prose = text.replace(NAMES, '');
  return (WRONG_FIELD.test(text) ? REFUSED_CONTENT : MODERATION).test(prose);
}

export function googleDecision(status: number, error: GoogleError): Decision {
  const text = error?.message ?? '';
  if (status >= 500) return decisionOfStatus(status);
  if (error?.details?.some((detail) => detail?.reason?.startsWith('API_KEY_')) === true || WRONG_KEY.test(text)) {
    return 'credential';
  }
  // Google's messages for ordinary rate limits (429) also contain "Please check your plan and billing details".
  if (status === 429) return NO_BALANCE.test(text.replace(/plan and billing/i, '')) ? 'balance' : 'busy';
  if (status === 400 && error?.status === 'FAILED_PRECONDITION') {
    if (NO_BALANCE.test(text)) return 'balance';
    return MODERATION.test(text) ? 'moderated' : 'credential'; // An unsupported region is an example of `credential`.
  }
  if (status === 400 && isModeration(text)) return 'moderated';
  return decisionOfStatus(status);
}

/** Returns Google's retry delay, which is in `error.details[].retryDelay` (e.g. `"3s"`, `"1.5s"`). */
export function googleDelay(error: GoogleError): { retryAfterMs?: number } {
  for (const detail of error?.details ?? []) {
    const seconds = /^(\d{1,4}(?:\.\d+)?)s$/.exec(detail?.retryDelay ?? '')?.[1];
    if (seconds !== undefined) return { retryAfterMs: Math.ceil(Number(seconds) * 1000) };
  }
  return {};
}
