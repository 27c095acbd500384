import type { z } from 'zod';
import { lenient, list, Numeric, Text } from './lenient.ts';
import { type Decision, decisionOfStatus } from './decision.ts';

/** `{error: {code, message, status, details}}`, as all of Google's APIs refuse. */
export const WireGoogleError = lenient({
  /** The HTTP status once more. */
  code: Numeric,
  message: Text,
  /** `INVALID_ARGUMENT`, `RESOURCE_EXHAUSTED` … */
  status: Text,
  details: list(lenient({ reason: Text, retryDelay: Text })),
});

/** An error of Google's, unsanitised. */
export type GoogleError = z.output<typeof WireGoogleError>;

/** Gemini API docs, "Troubleshooting": keys are refused with 400, limits and empty purses with 429. */
const WRONG_KEY = /api key (?:not valid|not found|expired)/i;
const NO_BALANCE =
  /prepa(?:y|id)|credits? (?:are|is) depleted|spend(?:ing)? (?:cap|limit)|billing|free (?:tier|quota)/i;
const MODERATION = /prohibited|blocked by|safety|polic(?:y|ies)|responsible ai|usage guidelines/i;

/** Fields and values by their names, whose words say nothing of what was asked for: `safety_settings`, `'x.y'`. */
const NAMES = /(['"`])[\w.[\]*-]+\1|\b\w+(?:[.[_]\w[\w.[\]]*)+|\b[a-z]+[A-Z]\w*/g;
/** What is said of a field that is wrong, rather than of its content. */
const WRONG_FIELD =
  /\b(?:invalid (?:value|json|field)|unknown (?:name|field)|cannot find field|unsupported (?:value|field))/i;
const REFUSED_CONTENT = /prohibited|blocked by|violat|usage guidelines/i;

function isModeration(words: string): boolean {
  const prose = words.replace(NAMES, '');
  return (WRONG_FIELD.test(words) ? REFUSED_CONTENT : MODERATION).test(prose);
}

/** What a refusal of Google's means. */
export function googleDecision(status: number, error: GoogleError): Decision {
  const words = error?.message ?? '';
  if (status >= 500) return decisionOfStatus(status);
  if (error?.details?.some((detail) => detail?.reason?.startsWith('API_KEY_')) === true || WRONG_KEY.test(words)) {
    return 'credential';
  }
  // "Please check your plan and billing details" stands in every 429 of a plain rate limit.
  if (status === 429) return NO_BALANCE.test(words.replace(/plan and billing/i, '')) ? 'balance' : 'busy';
  if (status === 400 && error?.status === 'FAILED_PRECONDITION') {
    if (NO_BALANCE.test(words)) return 'balance';
    return MODERATION.test(words) ? 'moderated' : 'credential'; // such as a region that it does not serve
  }
  if (status === 400 && isModeration(words)) return 'moderated';
  return decisionOfStatus(status);
}

/** When Google wants to be asked again: `retryDelay` of a detail, `3s` or `1.5s`. */
export function googleDelay(error: GoogleError): { retryAfterMs?: number } {
  for (const detail of error?.details ?? []) {
    const seconds = /^(\d{1,4}(?:\.\d+)?)s$/.exec(detail?.retryDelay ?? '')?.[1];
    if (seconds !== undefined) return { retryAfterMs: Math.ceil(Number(seconds) * 1000) };
  }
  return {};
}
