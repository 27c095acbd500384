import type { LedgerEntry } from '../../entry/ledger-entry.ts';
import type { UsageSums } from '../ledger-store.ts';
import { type StoredDimension, sumsOf } from './columns.ts';

export const HOUR_MS = 3_600_000;

/** PostgreSQL indexes at most 2,704 bytes. An index of a rollup has six of these texts. */
const MAX_TEXT_BYTES = 255;

/** An entry with the values of its columns. */
export interface StoredEntry {
  id: string;
  entry: LedgerEntry;
  /** Unix time in hours. */
  hour: number;
  /** An empty text if the entry has no value. */
  dimensions: Record<Exclude<StoredDimension, 'label'>, string>;
  /** `name=value`. */
  labels: string[];
  sums: UsageSums;
}

export function storedEntry(entry: LedgerEntry): StoredEntry {
  return {
    id: columnText(entry.id),
    entry,
    hour: Math.floor(entry.at / HOUR_MS),
    dimensions: {
      key: columnText(entry.key),
      model: columnText(entry.model),
      upstream: columnText(entry.upstream),
      endpoint: columnText(entry.endpoint),
      user: columnText(entry.user),
    },
    labels: [...new Set(Object.entries(entry.labels ?? {}).map(([name, value]) => columnText(`${name}=${value}`)))],
    sums: sumsOf(entry),
  };
}

/** Returns a text that all stores accept and can index: without NUL and lone surrogates, and not too long. */
export function columnText(value = ''): string {
  const text = value.replaceAll('\0', '').toWellFormed();
  if (text.length * 3 <= MAX_TEXT_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_TEXT_BYTES) return text;
  let end = MAX_TEXT_BYTES;
  // Bytes of this form continue a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
