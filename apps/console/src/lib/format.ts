const LOCALE = 'en-US';
const whole = new Intl.NumberFormat(LOCALE);
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' });
const precise = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

const clock = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const longDate = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', year: 'numeric' });
const date = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' });

const COMPACT_FROM = 100_000;

/** Returns `1,234`, or `1.2M` for large numbers. */
export function formatCount(value: number): string {
  return value < COMPACT_FROM ? whole.format(value) : compact.format(value);
}

/** @param usd US dollars. Small amounts keep three significant digits. */
export function formatCost(usd: number): string {
  return usd === 0 || usd >= 1 ? cents.format(usd) : precise.format(usd);
}

export function formatPercent(part: number, total: number): string {
  return percent.format(total === 0 ? 0 : part / total);
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
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
