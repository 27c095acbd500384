import { z } from 'zod';
import type { LedgerEntry } from './ledger-entry.ts';

/** The largest time of a `Date`. */
const MAX_TIME_MS = 8.64e15;

const text = z.string().optional();

/** Checks the fields that the store reads. It stores the others as they are. */
const EntrySchema = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.enum(['request', 'task']),
  at: z.int().min(0).max(MAX_TIME_MS),
  requestId: text,
  taskId: text,
  key: z.string(),
  user: text,
  labels: z.record(z.string(), z.string()).optional(),
  endpoint: z.string(),
  model: text,
  upstream: text,
  status: z.union([z.number(), z.string()]),
  durationMs: z.number(),
  usage: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])).optional(),
  costNanos: z.number().optional(),
});

/** Returns undefined if the text is not an entry, e.g. because an incompatible version wrote it. */
export function parseEntry(json: string): LedgerEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  // The cast is needed because the schema does not name the members of `usage` and the fields that are only stored.
  return EntrySchema.safeParse(value).success ? (value as LedgerEntry) : undefined;
}
