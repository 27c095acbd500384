/**
 * How long an upstream asks to wait, in milliseconds; a date is read against the answer's own `date`, so no clock is
 * needed.
 * @param headers by lower-case name
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = amount(headers['retry-after-ms']);
  if (exact !== undefined) return Math.round(exact);
  const text = headers['retry-after'];
  const seconds = amount(text);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  if (text === undefined) return undefined;
  const until = Date.parse(text) - Date.parse(headers['date'] ?? '');
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}

function amount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
