import {
  dateOf,
  fieldsOf,
  fieldValue,
  mainFieldOf,
  type UsageDimension,
  type UsageField,
  type UsageReport,
  type UsageRow,
  type UsageSums,
} from '@sluice/ledger';
import { alignTable } from '../terminal/align-columns.ts';
import { paint } from '../terminal/paint.ts';
import { foldRows, type FoldedRow, totalOf } from './fold-rows.ts';
import { bar, sparkline } from './sparkline.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer periods have a trend by day. */
const MAX_HOURS = 48;

/** Returns the dimension of the trend. A table that is grouped by time has bars instead. */
export function trendOf({ query: { groupBy, start, end } }: UsageReport): 'day' | 'hour' | undefined {
  if (groupBy.includes('day') || groupBy.includes('hour')) return undefined;
  return end - start <= MAX_HOURS * HOUR_MS ? 'hour' : 'day';
}

/** @param trend the additional dimension of the rows, if there is one */
export function usageTable(rows: readonly UsageRow[], report: UsageReport, trend: 'day' | 'hour' | undefined): string {
  const { query, metrics, limit } = report;
  const main = mainFieldOf(metrics[0] ?? 'cost');
  const hasBars = query.groupBy.includes('day') || query.groupBy.includes('hour');
  const folded = foldRows(rows, query.groupBy);
  // Rows of days and hours are already in their order.
  if (!hasBars) folded.sort((a, b) => fieldValue(b, main) - fieldValue(a, main));
  const fields = fieldsOf(metrics);
  const max = Math.max(...folded.map((row) => fieldValue(row, main)));
  const drawing = (row: FoldedRow): string => {
    if (hasBars) return bar(fieldValue(row, main), max);
    return trend === undefined ? '' : sparkline(seriesOf(row, report, trend, main));
  };
  const header = [...query.groupBy, ...fields, hasBars || trend !== undefined ? `${main} by ${trend ?? 'row'}` : ''];
  const lines = folded
    .slice(0, limit)
    .map((row) => [groupCells(row, query.groupBy), cells(row, fields), drawing(row)].flat());
  const total = totalOf(folded);
  // An entry counts in the rows of all of its labels.
  if (total && query.groupBy.length > 0 && folded.length > 1 && !query.groupBy.includes('label')) {
    const [, ...others] = query.groupBy;
    lines.push(['total', ...others.map(() => ''), ...cells(total, fields)]);
  }
  const table = alignTable(
    header.map((name) => name.replaceAll('_', ' ').toUpperCase()),
    lines,
  );
  return [table, ...notesOf(folded, limit, total)].join('\n\n');
}

function notesOf(folded: readonly FoldedRow[], limit: number, total: UsageSums | undefined): string[] {
  const notes: string[] = [];
  if (folded.length > limit) notes.push(`  More rows: ${folded.length - limit}. Show them with --limit.`);
  if (total && total.unpriced > 0) {
    const count = NUMBER.format(total.unpriced);
    notes.push(paint('yellow', `  The cost does not include requests and tasks with an unknown price: ${count}.`));
  }
  return notes;
}

function groupCells({ group }: UsageRow, groupBy: readonly UsageDimension[]): string[] {
  return groupBy.map((dimension) => group[dimension] || '(none)');
}

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
const DOLLARS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 9 });

function cells(sums: UsageSums, fields: readonly UsageField[]): string[] {
  return fields.map((field) => {
    const value = fieldValue(sums, field);
    return field === 'cost_usd' ? costText(value, sums.unpriced) : NUMBER.format(value);
  });
}

/** An unknown price never looks like zero. */
function costText(usd: number, unpriced: number): string {
  if (unpriced === 0) return `$${DOLLARS.format(usd)}`;
  return usd === 0 ? 'unpriced' : `$${DOLLARS.format(usd)} + unpriced`;
}

/** Returns a value for each day or hour of the period. */
function seriesOf(row: FoldedRow, { query }: UsageReport, trend: 'day' | 'hour', field: UsageField): number[] {
  const first = positionOf(query.start, trend, query.timeZone);
  const last = positionOf(query.end - 1, trend, query.timeZone);
  const values = Array.from({ length: last - first + 1 }, () => 0);
  for (const part of row.parts) {
    const at = Math.floor(Date.parse(part.group[trend] ?? '') / (trend === 'day' ? DAY_MS : HOUR_MS)) - first;
    if (at in values) values[at] = (values[at] ?? 0) + fieldValue(part, field);
  }
  return values;
}

/** The number of a day on the calendar, or of an hour. */
function positionOf(at: number, trend: 'day' | 'hour', timeZone: string): number {
  return trend === 'day' ? Date.parse(dateOf(at, timeZone)) / DAY_MS : Math.floor(at / HOUR_MS);
}
