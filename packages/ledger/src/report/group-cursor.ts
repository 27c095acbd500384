import type { UsageDimension, UsageRow } from '../store/ledger-store.ts';

/** Encodes the last group of a page, so that the next page can continue after it. */
export function encodeGroupCursor(groupBy: readonly UsageDimension[], group: UsageRow['group']): string {
  return Buffer.from(JSON.stringify(groupBy.map((dimension) => group[dimension] ?? ''))).toString('base64url');
}

/** @returns undefined if the cursor is not from a report with the same groups */
export function decodeGroupCursor(groupBy: readonly UsageDimension[], cursor: string): UsageRow['group'] | undefined {
  const values = parse(cursor);
  if (!Array.isArray(values) || values.length === 0 || values.length !== groupBy.length) return undefined;
  const group: UsageRow['group'] = {};
  for (const [at, dimension] of groupBy.entries()) {
    const value: unknown = values[at];
    if (typeof value !== 'string') return undefined;
    group[dimension] = value;
  }
  return group;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
