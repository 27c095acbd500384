import { csvCell } from './csv-cell.ts';
import { dollarsText } from './dollars.ts';
import type { UsageReport } from './parse-usage-report.ts';
import type { UsagePage } from './usage-page.ts';
import { fieldsOf, fieldValue } from './usage-metrics.ts';

/** Encodes a report as CSV with a header (RFC 4180). */
export function usageCsv({ rows }: UsagePage, { query, metrics }: UsageReport): string {
  const fields = fieldsOf(metrics);
  const lines = rows.map((row) => [
    ...query.groupBy.map((dimension) => csvCell(row.group[dimension] ?? '')),
    ...fields.map((field) => (field === 'cost_usd' ? dollarsText(row.costNanos) : String(fieldValue(row, field)))),
  ]);
  return [[...query.groupBy, ...fields], ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}
