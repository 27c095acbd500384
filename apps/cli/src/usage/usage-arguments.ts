import { GatewayError } from '@sluice/canonical';
import { parseUsageReport, type UsageReport } from '@sluice/ledger';
import { parseOptions } from '../terminal/parse-options.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { OPTIONS } from './usage-options.ts';

/** Arguments of `sluice usage`. */
export interface UsageArguments {
  report: UsageReport;
  format: 'table' | 'json' | 'csv';
}

/** The parameter of the usage endpoint that has another name than the option. */
const PARAMS: Readonly<Record<string, string>> = {
  'group-by': 'group_by',
  since: 'start_time',
  until: 'end_time',
  'time-zone': 'time_zone',
};

/** A table shows fewer metrics and rows than the usage endpoint by default. */
const TABLE_DEFAULTS = { metric: 'cost', group_by: 'model', limit: '30' };

const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 168 * HOUR_MS };

/**
 * @param now Unix milliseconds
 * @throws UsageError
 */
export function parseUsageArguments(args: readonly string[], now: number): UsageArguments {
  const { json, csv, ...options } = parseOptions(args, OPTIONS);
  if (json === true && csv === true) throw new UsageError('Use --json or --csv, not both.');
  const format = json === true ? 'json' : csv === true ? 'csv' : 'table';
  if (format === 'table' && options['after'] !== undefined) throw new UsageError('--after requires --json or --csv.');
  const params = Object.entries(options).map(([option, value]) => [
    PARAMS[option] ?? option,
    readValue(option, value, now),
  ]);
  try {
    const report = parseUsageReport({ ...(format === 'table' && TABLE_DEFAULTS), ...Object.fromEntries(params) }, now);
    return { report, format };
  } catch (error) {
    if (error instanceof GatewayError) throw new UsageError(withOptionNames(error.message), { cause: error });
    throw error;
  }
}

/** Converts durations such as `7d` to times. A period starts at a full hour, so that hourly sums can answer. */
function readValue(option: string, value: unknown, now: number): unknown {
  if ((option !== 'since' && option !== 'until') || typeof value !== 'string') return value;
  const { amount, unit = '' } = /^(?<amount>\d{1,5})(?<unit>[hdw])$/.exec(value)?.groups ?? {};
  if (amount === undefined) return value;
  const at = Math.floor((now - Number(amount) * (UNITS_MS[unit] ?? 0)) / HOUR_MS) * HOUR_MS;
  return String(Math.max(0, at) / 1_000);
}

/** Replaces the parameters in a message of the usage endpoint. */
function withOptionNames(message: string): string {
  let named = message.replace(/^(\w+)(?= (?:must|is) )/, (param) =>
    Object.values(PARAMS).includes(param) ? param : `--${param}`,
  );
  for (const [option, param] of Object.entries(PARAMS)) named = named.replaceAll(param, `--${option}`);
  return named;
}
