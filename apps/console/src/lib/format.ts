const LOCALE = 'en-US';
const whole = new Intl.NumberFormat(LOCALE);
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' });
const precise = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const time = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  // With `hour12: false`, some browsers write midnight as 24:00.
  hourCycle: 'h23',
});

const clock = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  // With `hour12: false`, some browsers write midnight as 24:00.
  hourCycle: 'h23',
});
const longDate = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', year: 'numeric' });
const date = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' });

const COMPACT_FROM = 100_000;

/** Returns `1,234`, or `1.2M` for large numbers. */
export function formatCount(value: number): string {
  return value < COMPACT_FROM ? whole.format(value) : compact.format(value);
}

/** Returns e.g. `1 error`, or `2,000 errors`. */
export function formatNumberOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** @param usd US dollars. Small amounts that are no whole cents keep three significant digits. */
export function formatCost(usd: number): string {
  return usd >= 1 || Number(usd.toFixed(2)) === usd ? cents.format(usd) : precise.format(usd);
}

/** @param unpriced whether there is usage whose price is unknown, as a flag or a count */
export function formatKnownCost(usd = 0, unpriced: number | boolean = false): string {
  if (!unpriced) return formatCost(usd);
  return usd === 0 ? 'unpriced' : `${formatCost(usd)} + unpriced`;
}

/** Returns e.g. `7.0%`, so that the digits of a column align. */
export function formatPercent(part: number, total: number): string {
  if (part === 0 || total === 0) return '0%';
  return part === total ? '100%' : percent.format(part / total);
}

export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

/** @param seconds a duration that is known in whole seconds */
export function formatSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000);
}

/** Returns e.g. `POST /v1/models/{model}`, as in the API reference. @param endpoint method and the server's pattern */
export function formatEndpoint(endpoint: string): string {
  return endpoint.replaceAll(/\/[:*](\w+)/g, '/{$1}');
}

/** Returns the endpoint of a text of {@link formatEndpoint}. Only the names of models may contain slashes. */
export function parseEndpoint(text: string): string {
  return text.replaceAll('{model}', '*model').replaceAll(/\{(\w+)\}/g, ':$1');
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB'];

export function formatBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${BYTE_UNITS[power]}`;
}

/** @param ms Unix milliseconds */
export function formatTime(ms: number): string {
  return time.format(ms);
}

/** @param ms Unix milliseconds */
export function formatClock(ms: number): string {
  return clock.format(ms);
}

/** @param ms Unix milliseconds */
export function formatDate(ms: number): string {
  return date.format(ms);
}

/** With the year. @param ms Unix milliseconds */
export function formatLongDate(ms: number): string {
  return longDate.format(ms);
}
