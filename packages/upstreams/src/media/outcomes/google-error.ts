import type { z } from 'zod';
import { lenient, list, Numeric, Text } from '../lenient.ts';
import { type Decision, decisionOfStatus } from './decision.ts';

/** `{error: {code, message, status, details}}`, the error format of all Google APIs. */
export const WireGoogleError = lenient({
  code: Numeric,
  message: Text,
  /** For example `INVALID_ARGUMENT` or `RESOURCE_EXHAUSTED`. */
  status: Text,
  details: list(lenient({ reason: Text, retryDelay: Text })),
});

export type GoogleError = z.output<typeof WireGoogleError>;

/** Gemini API docs, "Troubleshooting": 400 for an invalid key, 429 for rate limits and a missing balance. */
const WRONG_KEY = /api key (?:not valid|not found|expired)/i;
const NO_BALANCE =
  /prepa(?:y|id)|credits? (?:are|is) depleted|spend(?:ing)? (?:cap|limit)|billing|free (?:tier|quota)/i;
const MODERATION = /prohibited|blocked by|safety|polic(?:y|ies)|responsible ai|usage guidelines/i;

/** Matches field names and values, which are not content: `safety_settings`, `'x.y'`. */
const NAMES = /(['"`])[\w.[\]*-]+\1|\b\w+(?:[.[_]\w[\w.[\]]*)+|\b[a-z]+[A-Z]\w*/g;
/** Phrases about an invalid field instead of its content. */
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
  // Every plain rate limit (429) also says "Please check your plan and billing details".
  if (status === 429) return NO_BALANCE.test(text.replace(/plan and billing/i, '')) ? 'balance' : 'busy';
  if (status === 400 && error?.status === 'FAILED_PRECONDITION') {
    if (NO_BALANCE.test(text)) return 'balance';
    return MODERATION.test(text) ? 'moderated' : 'credential'; // e.g. an unsupported region
  }
  if (status === 400 && isModeration(text)) return 'moderated';
  return decisionOfStatus(status);
}

/** Google's retry delay, from `error.details[].retryDelay` (`"3s"`, `"1.5s"`). */
export function googleDelay(error: GoogleError): { retryAfterMs?: number } {
  for (const detail of error?.details ?? []) {
    const seconds = /^(\d{1,4}(?:\.\d+)?)s$/.exec(detail?.retryDelay ?? '')?.[1];
    if (seconds !== undefined) return { retryAfterMs: Math.ceil(Number(seconds) * 1000) };
  }
  return {};
}
