import { access } from 'node:fs/promises';
import { type Config, ledgerSettings, loadConfig, showUrl } from '@sluice/config';
import {
  type LedgerStore,
  MAX_ROWS,
  minuteOf,
  openLedgerStore,
  readUsagePage,
  showUsagePage,
  usageCsv,
  type UsagePage,
  type UsageQuery,
  type UsageReport,
} from '@sluice/ledger';
import { UnreachableError } from '../redis/find-redis.ts';
import { shortenPath } from '../terminal/shorten-path.ts';
import { parseUsageArguments, type UsageArguments } from './usage-arguments.ts';
import { trendOf, usageTable } from './usage-table.ts';

/**
 * Reads the ledger that the configuration names.
 * @returns the text to print
 * @throws {ConfigError} if the configuration is invalid
 * @throws UsageError or UnreachableError
 */
export async function runUsage(argv: readonly string[], process: NodeJS.Process): Promise<string> {
  const args = parseUsageArguments(argv, Date.now());
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  if (config.ledger.enabled) return report(config, args, process.cwd());
  throw new UnreachableError('The usage ledger is disabled. Set `ledger.enabled` to true in the configuration.');
}

async function report(config: Config, args: UsageArguments, cwd: string): Promise<string> {
  const { store: location } = ledgerSettings(config);
  const shown = location.url === undefined ? shortenPath(location.file, cwd) : showUrl(location.url);
  // A missing file is an empty ledger. To open it would create it.
  if (location.url === undefined && !(await exists(location.file))) {
    if (args.format === 'table') return `  The ledger is empty: ${shown} does not exist yet. A worker creates it.\n`;
    return show(args, { rows: [] });
  }
  const store = openLedgerStore(location);
  try {
    return args.format === 'table'
      ? await showTable(store, args.report)
      : show(args, await readUsagePage(store, args.report));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(`The usage ledger ${shown} cannot be read: ${reason}.`, { cause: error });
  } finally {
    await store.close().catch(() => undefined);
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function show({ report: requested, format }: UsageArguments, page: UsagePage): string {
  if (format === 'csv') return usageCsv(page, requested);
  return `${JSON.stringify(showUsagePage(page, requested), undefined, 2)}\n`;
}

/** Reads the trend in the same query, unless it has too many rows. */
async function showTable(store: Pick<LedgerStore, 'usage'>, requested: UsageReport): Promise<string> {
  const { query } = requested;
  const trend = trendOf(requested);
  const read = (groupBy: UsageQuery['groupBy']) =>
    readUsagePage(store, { ...requested, query: { ...query, groupBy }, limit: MAX_ROWS });
  const detailed = await read(trend === undefined ? query.groupBy : [...query.groupBy, trend]);
  const hasTrend = trend !== undefined && detailed.next === undefined;
  const { rows } = hasTrend || trend === undefined ? detailed : await read(query.groupBy);
  const { start, end, timeZone } = query;
  const period = `  ${minuteOf(start, timeZone)} to ${minuteOf(end, timeZone)} ${timeZone}`;
  if (rows.length === 0) return `${period}: no usage.\n`;
  return `${period}\n\n${usageTable(rows, requested, hasTrend ? trend : undefined)}\n`;
}
