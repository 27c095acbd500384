type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Reads the delay before a retry from the first valid header: `retry-after-ms`; `retry-after` in seconds, with or
 * without decimals, or as an HTTP date; `openai-poll-after-ms`. A date in the past means 0.
 * @param now Unix milliseconds for dates; defaults to the response's own `date` header, so that no clock is needed
 */
export function retryAfterMs(headers: Headers, now = Date.parse(headers['date'] ?? '')): number | undefined {
  const wait =
    amount(headers['retry-after-ms'], 1) ??
    amount(headers['retry-after'], 1_000) ??
    untilDate(headers['retry-after'], now) ??
    amount(headers['openai-poll-after-ms'], 1);
  return wait === undefined ? undefined : Math.max(0, Math.round(wait));
}

function amount(text: string | undefined, unitMs: number): number | undefined {
  return text !== undefined && /^\d{1,12}(\.\d+)?$/.test(text.trim()) ? Number(text) * unitMs : undefined;
}

function untilDate(text: string | undefined, now: number): number | undefined {
  // `Date.parse` interprets many texts without letters as a year.
  if (text === undefined || !/[a-z]/i.test(text)) return undefined;
  const wait = Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : wait;
}
