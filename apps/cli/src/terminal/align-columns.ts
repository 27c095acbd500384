import { paint } from './paint.ts';

/** Formats rows as a table with a header. See {@link alignColumns}. */
export function alignTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = '', ...rest] = alignColumns([header, ...rows]).split('\n');
  return [paint('bold', first), ...rest].join('\n');
}

/** Formats rows so that each column is as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
