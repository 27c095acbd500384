import { alignTable } from '../terminal/align-columns.ts';

/** A key in the format of `--json`. */
export type JsonKey = Readonly<Record<string, unknown>>;

export function keysTable(keys: readonly JsonKey[]): string {
  const rows = keys.map((key) => [
    word(key, 'name'),
    word(key, 'id') || '(configuration)',
    word(key, 'status'),
    word(key, 'last4') && `…${word(key, 'last4')}`,
    expiryOf(key),
    ...moneyOf(key),
    format(key['models']) || 'all',
  ]);
  return alignTable(['NAME', 'ID', 'STATUS', 'SECRET', 'EXPIRES', 'BUDGET', 'SPENT', 'REMAINING', 'MODELS'], rows);
}

export function keyTable(key: JsonKey): string {
  const { object: _object, key: _secret, ...fields } = key;
  const rows = Object.entries(fields).map(([name, value]) => [name, formatField(name, value)] as const);
  return rows.map(([name, value]) => `  ${name.padEnd(18)}${value}`).join('\n');
}

function formatField(name: string, value: unknown): string {
  if (name.endsWith('_at') && typeof value === 'number') return timeOf(value);
  if (isDollars(name) && typeof value === 'number') return dollars(value);
  return format(value) || 'none';
}

function format(value: unknown): string {
  if (Array.isArray(value)) return value.map(format).join(', ');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${formatField(name, inner)}`)
    .join(', ');
}

function word(key: JsonKey, field: string): string {
  const value = key[field];
  return typeof value === 'string' ? value : '';
}

function expiryOf({ expires_at: at }: JsonKey): string {
  return typeof at === 'number' ? timeOf(at) : 'never';
}

function isDollars(field: string): boolean {
  return field === 'usd' || field.endsWith('_usd');
}

/** Amounts have at most nine decimals. */
const DOLLARS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 9, useGrouping: false });

function dollars(amount: number): string {
  return `$${DOLLARS.format(amount)}`;
}

function moneyOf({ budget, spending }: JsonKey): string[] {
  const { usd, period } = fieldsOf(budget);
  const { spent_usd: spent, remaining_usd: remaining } = fieldsOf(spending);
  if (typeof usd !== 'number') return ['none', '', ''];
  const money = [spent, remaining].map((amount) => (typeof amount === 'number' ? dollars(amount) : ''));
  return [`${dollars(usd)} ${period === 'total' ? 'in total' : `a ${String(period)}`}`, ...money];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The last second that a JavaScript date can represent. */
const LAST_SECOND = 8.64e12;

/** Formats Unix seconds as `2030-12-31 00:00 UTC`. Values outside the range of dates are returned unchanged. */
function timeOf(seconds: number): string {
  if (Math.abs(seconds) > LAST_SECOND) return String(seconds);
  return `${new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
