import type { UsageDimension, UsageQuery, UsageRow, UsageSums } from '../ledger-store.ts';
import { addSums } from './add-entries.ts';
import { DIMENSION_COLUMNS, ROLLUPS, type StoredDimension, SUM_COLUMNS, SUM_NAMES } from './columns.ts';
import { localTime } from './local-time.ts';
import { readMeta } from './migrations.ts';
import { type SqlRow, type SqlSession, toNumber } from './sql-database.ts';
import { columnText, HOUR_MS } from './stored-entry.ts';
import { type EntriesSlice, type RollupSlice, usageSlices } from './usage-slices.ts';

// The cast is safe because these are the object's own keys.
const DIMENSIONS = Object.keys(DIMENSION_COLUMNS) as StoredDimension[];

/** Returns the rows in the order of their groups. Must run in a read transaction. @throws RangeError for the zone */
export async function queryUsage(sql: SqlSession, query: UsageQuery): Promise<UsageRow[]> {
  const time = localTime(query.timeZone);
  const range = await storedRange(sql, query);
  const hasDays = query.groupBy.includes('day');
  const allowsDays = !query.groupBy.includes('hour');
  const hours = new Map<number, string>();
  const hourText = (hour: number): string => {
    const text = hours.get(hour) ?? time.timestamp(hour * HOUR_MS);
    hours.set(hour, text);
    return text;
  };
  const groups = new Map<string, UsageRow>();
  for (const slice of usageSlices({ ...range, days: hasDays ? time : undefined, allowsDays })) {
    const { text, values } = sliceStatement(query, slice);
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
  const first = after ? rows.findIndex(({ group }) => compareGroups(query.groupBy, group, after) > 0) : 0;
  return first === -1 ? [] : rows.slice(first, limit === undefined ? undefined : first + limit);
}

function compareGroups(groupBy: readonly UsageDimension[], a: UsageRow['group'], b: UsageRow['group']): number {
  for (const dimension of groupBy) {
    const [one = '', other = ''] = [a[dimension], b[dimension]];
    // In the order of the databases. Texts in JavaScript have another order, by UTF-16.
    if (one !== other) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return 0;
}

/** Limits the range to the hours that are stored, so that a long range has few days. */
async function storedRange(sql: SqlSession, { start, end }: UsageQuery) {
  const [row = {}] = await sql.all('SELECT min(hour) AS first, max(hour) AS last FROM ledger_hourly_totals');
  const entriesFrom = (await readMeta(sql, 'entries_from')) ?? 0;
  if ((row['first'] ?? null) === null) return { start: 0, end: 0, entriesFrom };
  return {
    start: Math.max(start, toNumber(row['first']) * HOUR_MS),
    end: Math.min(end, (toNumber(row['last']) + 1) * HOUR_MS),
    entriesFrom,
  };
}

function sliceStatement(query: UsageQuery, slice: RollupSlice | EntriesSlice) {
  const { groupBy, filters } = query;
  const stored = groupBy.filter((dimension): dimension is StoredDimension => dimension in DIMENSION_COLUMNS);
  const filtered = DIMENSIONS.flatMap((name) => {
    const { [name]: allowed } = filters;
    return allowed === undefined ? [] : [{ name, allowed: [allowed].flat().map(columnText) }];
  });
  const used = [...stored, ...filtered.map(({ name }) => name)];
  const groups: string[] = stored.map((dimension) => column(dimension, slice));
  const values: (string | number)[] = [];
  const period = slice.from === 'rollup' ? periodOf(groupBy, slice) : undefined;
  const columns = stored.map((dimension, index) => `${groups[index]} AS ${DIMENSION_COLUMNS[dimension]}`);
  if (period !== undefined) {
    columns.push(`${period} AS period`);
    groups.push(period);
  }
  const time = slice.from === 'rollup' ? 'hour' : 'e.at';
  const conditions = [
    `${time} >= ? AND ${time} < ?`,
    ...filtered.map(
      ({ name, allowed }) => `${column(name, slice)} IN (${allowed.map(() => '?').join(', ') || 'NULL'})`,
    ),
  ];
  values.push(slice.start, slice.end, ...filtered.flatMap(({ allowed }) => allowed));
  const page = pageOf(query, groups);
  conditions.push(...page.conditions);
  values.push(...page.values);
  const sums = Object.values(SUM_COLUMNS).map((name) => `SUM(${name}) AS ${name}`);
  const text = [
    `SELECT ${[...columns, ...sums].join(', ')} FROM ${tableOf(used, slice)}`,
    `WHERE ${conditions.join(' AND ')}`,
    groups.length > 0 ? `GROUP BY ${groups.join(', ')}` : 'HAVING COUNT(*) > 0',
    page.suffix,
  ].join(' ');
  return { text, values };
}

/**
 * Limits a statement to a page. Each statement then has the first groups of the page, in the same order, so their sums are
 * complete. Days and hours are only known after the statement, so reports by them read all groups.
 */
function pageOf({ groupBy, after, limit }: UsageQuery, groups: readonly string[]) {
  const isTimed = groupBy.includes('day') || groupBy.includes('hour');
  if (isTimed || groups.length === 0) return { conditions: [], values: [], suffix: '' };
  const conditions = after ? [`(${groups.join(', ')}) > (${groups.map(() => '?').join(', ')})`] : [];
  const values: (string | number)[] = after ? groupBy.map((dimension) => columnText(after[dimension])) : [];
  if (limit !== undefined) values.push(limit);
  return { conditions, values, suffix: limit === undefined ? '' : `ORDER BY ${groups.join(', ')} LIMIT ?` };
}

function tableOf(used: readonly StoredDimension[], slice: RollupSlice | EntriesSlice): string {
  if (slice.from === 'rollup')
    return ROLLUPS.find(({ dimensions }) => used.every((name) => dimensions.includes(name)))?.tables[slice.unit] ?? '';
  const labels = 'LEFT JOIN ledger_entry_labels l ON l.at = e.at AND l.id = e.id';
  return used.includes('label') ? `ledger_entries e ${labels}` : 'ledger_entries e';
}

function column(dimension: StoredDimension, slice: RollupSlice | EntriesSlice): string {
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
  slice: RollupSlice | EntriesSlice,
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

function sumsOfRow(row: SqlRow): UsageSums {
  const sum = (name: keyof UsageSums) => toNumber(row[SUM_COLUMNS[name]]);
  // The cast is safe because `SUM_NAMES` has all members.
  return Object.fromEntries(SUM_NAMES.map((name) => [name, sum(name)])) as unknown as UsageSums;
}
