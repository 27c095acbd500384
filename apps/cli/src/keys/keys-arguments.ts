import { parseArgs } from 'node:util';
import { orList } from '@sluice/canonical';
import { BUDGET_PERIODS, KeyLimitsSchema } from '@sluice/config';
import { UsageError } from '../terminal/usage-error.ts';

/** Arguments of `sluice keys`. */
export interface KeysArguments {
  operation: KeysOperation;
  /** The name of a new key, or the id or name of an existing key. Empty for `list`. */
  key: string;
  /** A JSON merge patch (RFC 7396), in which null removes a field. */
  settings: Record<string, unknown>;
  /** Unix milliseconds. Null means never; undefined means unchanged. */
  expiresAt?: number | null;
  graceMs: number;
  json: boolean;
}

type KeysOperation = 'create' | 'list' | 'show' | 'update' | 'rotate' | 'revoke';

const SETTINGS = {
  models: { type: 'string' },
  strict: { type: 'boolean' },
  'vendor-references': { type: 'boolean' },
  budget: { type: 'string' },
  'budget-period': { type: 'string' },
  labels: { type: 'string' },
  expires: { type: 'string' },
} as const;
const LIMITS = Object.fromEntries(
  Object.keys(KeyLimitsSchema.shape).map((limit) => [optionOf(limit), { type: 'string' } as const]),
);
const OPTIONS = { ...SETTINGS, ...LIMITS, grace: { type: 'string' }, json: { type: 'boolean' } } as const;

/** Options of each operation, in addition to `--json`. */
export const KEYS_OPTIONS: Readonly<Record<KeysOperation, readonly string[]>> = {
  create: [...Object.keys(SETTINGS), ...Object.keys(LIMITS)],
  list: [],
  show: [],
  update: [...Object.keys(SETTINGS), ...Object.keys(LIMITS)],
  rotate: ['grace'],
  revoke: [],
};

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DEFAULT_GRACE = '24h';

/**
 * @param now Unix milliseconds; the start of a duration such as `--expires 30d`
 * @throws UsageError
 */
export function parseKeysArguments(args: readonly string[], now: number): KeysArguments {
  const { values, positionals } = parse(args);
  const [operation = '', ...keys] = positionals;
  if (!isOperation(operation)) throw new UsageError(`Unknown command \`sluice keys ${operation}\`.`);
  for (const option of Object.keys(values)) {
    if (option !== 'json' && !KEYS_OPTIONS[operation].includes(option)) {
      throw new UsageError(`\`sluice keys ${operation}\` does not accept --${option}.`);
    }
  }
  const keyCount = operation === 'list' ? 0 : 1;
  if (keys.length !== keyCount) {
    throw new UsageError(
      keyCount === 0
        ? '`sluice keys list` does not accept a name.'
        : `\`sluice keys ${operation}\` requires exactly one name.`,
    );
  }
  const expires = text(values, 'expires');
  return {
    operation,
    key: keys[0] ?? '',
    settings: settingsOf(values),
    ...(expires !== undefined && { expiresAt: expires === 'never' ? null : readTime(expires, now) }),
    graceMs: readDuration('grace', text(values, 'grace') ?? DEFAULT_GRACE),
    json: values['json'] === true,
  };
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function parse(args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    const options = { args: [...args], options: OPTIONS, allowPositionals: true, allowNegative: true } as const;
    return parseArgs(options);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function settingsOf(values: Values): Record<string, unknown> {
  const limits = Object.keys(KeyLimitsSchema.shape).flatMap((limit): [string, unknown][] => {
    const value = text(values, optionOf(limit));
    return value === undefined ? [] : [[limit, value === 'none' ? null : readNumber(optionOf(limit), value)]];
  });
  const models = text(values, 'models');
  const labels = text(values, 'labels');
  return {
    ...(models !== undefined && { models: modelsOf(models) }),
    ...(values['strict'] !== undefined && { strict: values['strict'] }),
    ...(values['vendor-references'] !== undefined && { vendor_references: values['vendor-references'] }),
    ...(labels !== undefined && { labels: labels === 'none' ? null : labelsOf(labels) }),
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...budgetOf(text(values, 'budget'), text(values, 'budget-period')),
  };
}

/** @returns null if all models are allowed */
function modelsOf(value: string): string[] | null {
  if (value === 'all') return null;
  const models = value.split(',').map((model) => model.trim());
  const keyword = models.find((model) => model === 'all' || model === 'none');
  // `none` is ambiguous: it could mean no models or no restriction.
  if (keyword !== undefined)
    throw new UsageError(`--models must be model ids or patterns, or \`all\` alone; got \`${keyword}\`.`);
  return models;
}

function budgetOf(usd: string | undefined, period: string | undefined): { budget?: unknown } {
  if (period !== undefined && !BUDGET_PERIODS.some((known) => known === period)) {
    throw new UsageError(`--budget-period must be ${orList(BUDGET_PERIODS)}.`);
  }
  if (usd === 'none') return { budget: null };
  if (usd === undefined && period === undefined) return {};
  return { budget: { ...(usd !== undefined && { usd: readNumber('budget', usd) }), ...(period && { period }) } };
}

function labelsOf(list: string): Record<string, string> {
  const pairs = list.split(',').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=');
    if (value.length > 0) return [name.trim(), value.join('=').trim()];
    throw new UsageError(`--labels must be a list such as \`team=search,feature=chat\`, or \`none\`; got \`${pair}\`.`);
  });
  return Object.fromEntries(pairs);
}

function isOperation(keyword: string): keyword is KeysOperation {
  return Object.hasOwn(KEYS_OPTIONS, keyword);
}

function optionOf(limit: string): string {
  return `limit-${limit.replaceAll('_', '-')}`;
}

function text(values: Values, option: string): string | undefined {
  const value = values[option];
  return typeof value === 'string' ? value : undefined;
}

function readNumber(option: string, value: string): number {
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  throw new UsageError(`--${option} must be a number or \`none\`.`);
}

function readDuration(option: string, value: string): number {
  const { amount, unit } = /^(?<amount>\d{1,9})(?<unit>[smhd])$/.exec(value)?.groups ?? {};
  if (value === '0') return 0;
  if (amount === undefined) throw new UsageError(`--${option} must be a duration such as 90m, 24h, or 30d.`);
  // The cast is safe because the pattern matches only known units.
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

function readTime(value: string, now: number): number {
  if (/^\d+[smhd]$/.test(value)) return now + readDuration('expires', value);
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/.test(value);
  const at = isDate ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError('--expires must be a duration such as 30d, a date such as 2030-12-31T00:00:00Z, or `never`.');
}
