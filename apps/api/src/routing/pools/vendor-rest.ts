import type { Rest } from '@sluice/limits';

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Reads the rate-limit headers of OpenAI (`x-ratelimit-remaining-*`, and `x-ratelimit-reset-*` as a duration such as
 * `6m0s`) and Anthropic (`anthropic-ratelimit-*-remaining`, and `-reset` as a date). A limit without anything left
 * rests until its reset.
 *
 * Sources: https://platform.openai.com/docs/guides/rate-limits, https://docs.anthropic.com/en/api/rate-limits.
 * @param now Unix milliseconds
 * @returns milliseconds until all exhausted limits have reset; undefined if none is exhausted
 */
export function exhaustedMs(headers: Headers, now: number): number | undefined {
  let wait: number | undefined;
  for (const [remaining, reset] of HEADERS) {
    if (headers[remaining] !== '0') continue;
    const ms = durationMs(headers[reset]) ?? dateMs(headers[reset], now);
    if (ms !== undefined) wait = Math.max(wait ?? 0, ms);
  }
  return wait;
}

const HEADERS: readonly (readonly [remaining: string, reset: string])[] = [
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  ['anthropic-ratelimit-input-tokens-remaining', 'anthropic-ratelimit-input-tokens-reset'],
  ['anthropic-ratelimit-output-tokens-remaining', 'anthropic-ratelimit-output-tokens-reset'],
];

const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Parses Go's durations, such as `1h2m0.5s` and `20ms`. */
function durationMs(text = ''): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms]))+$/.test(text)) return undefined;
  let ms = 0;
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(ms|[dhms])/g))
    ms += Number(amount) * (UNITS_MS[unit] ?? 0);
  return Math.ceil(ms);
}

function dateMs(text: string | undefined, now: number): number | undefined {
  const at = text === undefined || !/^\d{4}-/.test(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * Finds a daily quota in Google's error, whose `QuotaFailure` names the exceeded quotas, such as
 * `GenerateRequestsPerDayPerProjectPerModel-FreeTier`. Its `RetryInfo` is short even then. Daily quotas reset at
 * midnight in the Pacific time zone.
 *
 * Source: https://ai.google.dev/gemini-api/docs/rate-limits.
 * @param body the parsed error body
 */
export function googleQuotaRest(body: unknown, now: number): Rest | undefined {
  const text = typeof body === 'object' && body !== null ? JSON.stringify(body) : '';
  if (!text.includes('google.rpc.QuotaFailure') || !/"quotaId"\s*:\s*"[^"]*PerDay/.test(text)) return undefined;
  return { reason: 'quota', ms: untilPacificMidnight(now) };
}

const PACIFIC = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

function untilPacificMidnight(now: number): number {
  const parts = new Map(PACIFIC.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const passed = (parts.get('hour') ?? 0) * 3_600 + (parts.get('minute') ?? 0) * 60 + (parts.get('second') ?? 0);
  return (86_400 - passed) * 1_000;
}
