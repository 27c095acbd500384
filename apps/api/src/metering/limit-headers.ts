import type { LimitDecision, RateState } from '@sluice/limits';

/** Returns the rate-limit headers that SDKs read: Anthropic's for the messages protocol, OpenAI's otherwise. */
export function limitHeaders(
  { at, requests, tokens }: Pick<LimitDecision, 'at' | 'requests' | 'tokens'>,
  protocol: string | undefined,
): Record<string, string> {
  const format = protocol === 'messages' ? anthropicHeaders : openAiHeaders;
  return {
    ...(requests && format('requests', requests, at)),
    ...(tokens && format('tokens', tokens, at)),
  };
}

function openAiHeaders(what: string, { limit, remaining, resetMs }: RateState): Record<string, string> {
  return {
    [`x-ratelimit-limit-${what}`]: String(limit),
    [`x-ratelimit-remaining-${what}`]: String(remaining),
    [`x-ratelimit-reset-${what}`]: duration(resetMs),
  };
}

/** Times are in RFC 3339 format, rounded up to full seconds. */
function anthropicHeaders(what: string, { limit, remaining, resetMs }: RateState, at: number): Record<string, string> {
  const reset = new Date(Math.ceil((at + resetMs) / 1_000) * 1_000);
  return {
    [`anthropic-ratelimit-${what}-limit`]: String(limit),
    [`anthropic-ratelimit-${what}-remaining`]: String(remaining),
    [`anthropic-ratelimit-${what}-reset`]: reset.toISOString().replace('.000Z', 'Z'),
  };
}

/** Formats a duration as Go does: `20ms`, `1s`, `1.5s`, `6m0s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = (ms % 60_000) / 1_000;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
