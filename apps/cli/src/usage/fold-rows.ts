import type { UsageDimension, UsageRow, UsageSums } from '@sluice/ledger';

/** A row of the table: the sums of a group over the period, and the rows of its days or hours. */
export interface FoldedRow extends UsageRow {
  parts: UsageRow[];
}

/** Combines the rows of each group, which has a row for each day or hour. */
export function foldRows(rows: readonly UsageRow[], groupBy: readonly UsageDimension[]): FoldedRow[] {
  const folded = new Map<string, FoldedRow>();
  for (const row of rows) {
    const id = JSON.stringify(groupBy.map((dimension) => row.group[dimension] ?? ''));
    const known = folded.get(id);
    if (known) {
      addSums(known, row);
      known.parts.push(row);
    } else {
      folded.set(id, { ...row, parts: [row] });
    }
  }
  return [...folded.values()];
}

/** Returns the sums of all rows, or undefined if there are none. */
export function totalOf(rows: readonly UsageRow[]): UsageSums | undefined {
  const [first, ...others] = rows;
  if (!first) return undefined;
  const total = { ...first };
  for (const row of others) addSums(total, row);
  return total;
}

function addSums(target: UsageSums, { group: _group, ...sums }: UsageRow): void {
  // The cast is safe because the remaining fields are the sums.
  for (const name of Object.keys(sums) as (keyof UsageSums)[]) {
    if (typeof target[name] === 'number') target[name] += sums[name];
  }
}
