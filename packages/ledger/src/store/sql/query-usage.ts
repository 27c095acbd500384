import type { UsageDimension, UsageQuery, UsageRow, UsageSums } from '../ledger-store.ts';
import { addSums } from './add-entries.ts';
import {
  DIMENSION_COLUMNS,
  type Rollup,
  type RollupUnit,
  ROLLUPS,
  type StoredDimension,
  SUM_COLUMNS,
  SUM_NAMES,
} from './columns.ts';
import { localTime } from './local-time.ts';
import { readMeta } from './migrations.ts';
import { type SqlRow, type SqlSession, toNumber } from './sql-database.ts';
import { columnText, HOUR_MS } from './stored-entry.ts';
import { type EntriesSlice, type RollupSlice, usageSlices } from './usage-slices.ts';

// The cast is safe because these are the object's own keys.
const DIMENSIONS = Object.keys(DIMENSION_COLUMNS) as StoredDimension[];

type UsageSlice = RollupSlice | EntriesSlice;

/** Returns the rows in the order of their groups. Must run in a read transaction. @throws RangeError for the zone */
export async function queryUsage(sql: SqlSession, query: UsageQuery): Promise<UsageRow[]> {
  const time = localTime(query.timeZone);
  const range = await storedRange(sql, query);
  const hasDays = query.groupBy.includes('day');
  const hours = new Map<number, string>();
  const hourText = (hour: number): string => {
    const text = hours.get(hour) ?? time.timestamp(hour * HOUR_MS);
    hours.set(hour, text);
    return text;
  };
  const groups = new Map<string, UsageRow>();
  const slices = usageSlices({ ...range, days: hasDays ? time : undefined, units: unitsOf(query) });
  const [first] = slices;
  // Without a unit of time, the database sums up all slices, because it is faster.
  const parts = isTimed(query)
    ? slices.map((slice) => [slice] as const)
    : first
      ? [[first, ...slices.slice(1)] as const]
      : [];
  for (const part of parts) {
    const [slice] = part;
    const { text, values } = usageStatement(query, part);
    for (const row of await sql.all(text, values)) {
      const group = groupOf(query.groupBy, row, slice, hourText);
      const key = JSON.stringify(Object.values(group));
      const known = groups.get(key);
      if (known) addSums(known, sumsOfRow(row));
      else groups.set(key, { group, ...sumsOfRow(row) });
    }
  }
  const rows = [...groups.values()].toSorted((a, b) => compareGroups(query.groupBy, a.group, b.group));
  const { after, limit } = query;
  const begin = after ? rows.findIndex(({ group }) => compareGroups(query.groupBy, group, after) > 0) : 0;
  return begin === -1 ? [] : rows.slice(begin, limit === undefined ? undefined : begin + limit);
}

function compareGroups(groupBy: readonly UsageDimension[], a: UsageRow['group'], b: UsageRow['group']): number {
  for (const dimension of groupBy) {
    const [one = '', other = ''] = [a[dimension], b[dimension]];
    // In the order of the databases. Texts in JavaScript have another order, by UTF-16.
    if (one !== other) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return 0;
}

/** SQLite finds a minimum or a maximum in the index only if the statement has no other. */
const RANGE = `SELECT (SELECT min(hour) FROM ledger_hourly_all) AS first, (SELECT max(hour) FROM ledger_hourly_all) AS last`;

/** Limits the range to the hours that are stored, so that a long range has few days. */
async function storedRange(sql: SqlSession, { start, end }: UsageQuery) {
  const [row = {}] = await sql.all(RANGE);
  const entriesFrom = (await readMeta(sql, 'entries_from')) ?? 0;
  if ((row['first'] ?? null) === null) return { start: 0, end: 0, entriesFrom };
  return {
    start: Math.max(start, toNumber(row['first']) * HOUR_MS),
    end: Math.min(end, (toNumber(row['last']) + 1) * HOUR_MS),
    entriesFrom,
  };
}

function dimensionsOf({ groupBy, filters }: UsageQuery) {
  const stored = groupBy.filter((dimension): dimension is StoredDimension => dimension in DIMENSION_COLUMNS);
  const filtered = DIMENSIONS.flatMap((name) => {
    const { [name]: allowed } = filters;
    return allowed === undefined ? [] : [{ name, allowed: [allowed].flat().map(columnText) }];
  });
  return { stored, filtered, used: [...stored, ...filtered.map(({ name }) => name)] };
}

/** Returns the units of the rollups that a query can read: the units of time in its groups, and smaller ones. */
function unitsOf(query: UsageQuery): RollupUnit[] {
  if (query.groupBy.includes('hour')) return ['hour'];
  const { used } = dimensionsOf(query);
  const hasWeeks = rollupOf(used, 'day')?.tables.week !== undefined && !query.groupBy.includes('day');
  return hasWeeks ? ['hour', 'day', 'week'] : ['hour', 'day'];
}

/** Returns the smallest rollup with these dimensions and this unit. */
function rollupOf(used: readonly StoredDimension[], unit: RollupUnit): Rollup | undefined {
  return ROLLUPS.find(
    ({ dimensions, tables }) => tables[unit] !== undefined && used.every((name) => dimensions.includes(name)),
  );
}

/** Sums up the rows of slices by the groups of a query. With a unit of time, by the hour or the index of the day, too. */
function usageStatement(query: UsageQuery, slices: readonly UsageSlice[]) {
  const { stored } = dimensionsOf(query);
  const hasPeriod = isTimed(query) && slices.every(({ from }) => from === 'rollup');
  const groups = [...stored.map((dimension) => DIMENSION_COLUMNS[dimension]), ...(hasPeriod ? ['period'] : [])];
  const sources = slices.map((slice) => sliceRows(query, slice));
  const page = pageOf(query, groups);
  const sums = sumColumns(query).map((name) => `SUM(${name}) AS ${name}`);
  const text = [
    `SELECT ${[...groups, ...sums].join(', ')} FROM (${sources.map((one) => one.text).join(' UNION ALL ')}) AS parts`,
    page.condition,
    groups.length > 0 ? `GROUP BY ${groups.join(', ')}` : 'HAVING COUNT(*) > 0',
    page.suffix,
  ].join(' ');
  return { text, values: [...sources.flatMap((one) => one.values), ...page.values] };
}

/** Selects the rows of a slice that match the filters. */
function sliceRows(query: UsageQuery, slice: UsageSlice) {
  const { stored, filtered, used } = dimensionsOf(query);
  const columns = stored.map((dimension) => `${column(dimension, slice)} AS ${DIMENSION_COLUMNS[dimension]}`);
  const period = slice.from === 'rollup' ? periodOf(query.groupBy, slice) : undefined;
  if (period !== undefined) columns.push(`${period} AS period`);
  const time = slice.from === 'rollup' ? 'hour' : 'e.at';
  const conditions = [
    `${time} >= ? AND ${time} < ?`,
    ...filtered.map(
      ({ name, allowed }) => `${column(name, slice)} IN (${allowed.map(() => '?').join(', ') || 'NULL'})`,
    ),
  ];
  return {
    text: `SELECT ${[...columns, ...sumColumns(query)].join(', ')} FROM ${tableOf(used, slice)} WHERE ${conditions.join(' AND ')}`,
    values: [slice.start, slice.end, ...filtered.flatMap(({ allowed }) => allowed)],
  };
}

/** Limits a statement to a page. Days and hours are only known after the statement, so reports by them read all groups. */
function pageOf(query: UsageQuery, groups: readonly string[]) {
  const { groupBy, after, limit } = query;
  if (isTimed(query) || groups.length === 0) return { condition: '', values: [], suffix: '' };
  const values: (string | number)[] = after ? groupBy.map((dimension) => columnText(after[dimension])) : [];
  if (limit !== undefined) values.push(limit);
  return {
    condition: after ? `WHERE (${groups.join(', ')}) > (${groups.map(() => '?').join(', ')})` : '',
    values,
    suffix: limit === undefined ? '' : `ORDER BY ${groups.join(', ')} LIMIT ?`,
  };
}

function isTimed({ groupBy }: UsageQuery): boolean {
  return groupBy.includes('day') || groupBy.includes('hour');
}

function tableOf(used: readonly StoredDimension[], slice: UsageSlice): string {
  if (slice.from === 'rollup') return rollupOf(used, slice.unit)?.tables[slice.unit] ?? '';
  const labels = 'LEFT JOIN ledger_entry_labels l ON l.at = e.at AND l.id = e.id';
  return used.includes('label') ? `ledger_entries e ${labels}` : 'ledger_entries e';
}

function column(dimension: StoredDimension, slice: UsageSlice): string {
  return dimension === 'label' && slice.from === 'entries' ? "COALESCE(l.label, '')" : DIMENSION_COLUMNS[dimension];
}

/** The hour, or the index of the day. All bounds are integers. */
function periodOf(groupBy: readonly UsageDimension[], { base }: RollupSlice): string | undefined {
  if (groupBy.includes('hour')) return 'hour';
  return groupBy.includes('day') ? `(hour - ${base}) / 24` : undefined;
}

function groupOf(
  groupBy: readonly UsageDimension[],
  row: SqlRow,
  slice: UsageSlice,
  hourText: (hour: number) => string,
): UsageRow['group'] {
  const period = toNumber(row['period']);
  const valueOf = (dimension: UsageDimension): string => {
    if (dimension === 'hour') return hourText(slice.from === 'rollup' ? period : Math.floor(slice.start / HOUR_MS));
    if (dimension !== 'day') return String(row[DIMENSION_COLUMNS[dimension]]);
    if (slice.from === 'entries') return slice.day;
    const index = groupBy.includes('hour') ? Math.floor((period - slice.base) / 24) : period;
    return slice.days[index] ?? '';
  };
  return Object.fromEntries(groupBy.map((dimension) => [dimension, valueOf(dimension)]));
}

function sumColumns({ sums = SUM_NAMES }: UsageQuery): string[] {
  return sums.map((name) => SUM_COLUMNS[name]);
}

function sumsOfRow(row: SqlRow): UsageSums {
  const sum = (name: keyof UsageSums) => toNumber(row[SUM_COLUMNS[name]] ?? 0);
  // The cast is safe because `SUM_NAMES` has all members.
  return Object.fromEntries(SUM_NAMES.map((name) => [name, sum(name)])) as unknown as UsageSums;
}
