import type { z } from 'zod';
import { lenient, list, Numeric, Text } from '../lenient.ts';
import { type Decision, decisionOfStatus } from './decision.ts';

/** `{error: {code, message, status, details}}`, the error of all Google APIs. */
export const WireGoogleError = lenient({
  code: Numeric,
  message: Text,
  /** `INVALID_ARGUMENT`, `RESOURCE_EXHAUSTED` … */
  status: Text,
  details: list(lenient({ reason: Text, retryDelay: Text })),
});

export type GoogleError = z.output<typeof WireGoogleError>;

/** Gemini API docs, "Troubleshooting": keys are refused with 400, rate limits and missing balance with 429. */
const WRONG_KEY = /api key (?:not valid|not found|expired)/i;
const NO_BALANCE =
  /prepa(?:y|id)|credits? (?:are|is) depleted|spend(?:ing)? (?:cap|limit)|billing|free (?:tier|quota)/i;
const MODERATION = /prohibited|blocked by|safety|polic(?:y|ies)|responsible ai|usage guidelines/i;

/** Names of fields and values, which do not describe content: `safety_settings`, `'x.y'`. */
const NAMES = /(['"`])[\w.[\]*-]+\1|\b\w+(?:[.[_]\w[\w.[\]]*)+|\b[a-z]+[A-Z]\w*/g;
/** Phrases about an invalid field rather than its content. */
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
  // "Please check your plan and billing details" is in every 429 of a plain rate limit.
  if (status === 429) return NO_BALANCE.test(text.replace(/plan and billing/i, '')) ? 'balance' : 'busy';
  if (status === 400 && error?.status === 'FAILED_PRECONDITION') {
    if (NO_BALANCE.test(text)) return 'balance';
    return MODERATION.test(text) ? 'moderated' : 'credential'; // such as an unsupported region
  }
  if (status === 400 && isModeration(text)) return 'moderated';
  return decisionOfStatus(status);
}

/** Google's retry delay: `retryDelay` of a detail, `3s` or `1.5s`. */
export function googleDelay(error: GoogleError): { retryAfterMs?: number } {
  for (const detail of error?.details ?? []) {
    const seconds = /^(\d{1,4}(?:\.\d+)?)s$/.exec(detail?.retryDelay ?? '')?.[1];
    if (seconds !== undefined) return { retryAfterMs: Math.ceil(Number(seconds) * 1000) };
  }
  return {};
}
