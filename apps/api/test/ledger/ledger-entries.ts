import type { LedgerEntry } from '@sluice/ledger';
import type { Redis } from 'ioredis';
import { expect } from 'vitest';

/** Reads the entries that wait in the ledger's stream, oldest first. */
export async function ledgerEntries(redis: Redis, prefix: string): Promise<LedgerEntry[]> {
  const stream = await redis.xrange(`{${prefix}}:ledger`, '-', '+');
  // The cast is safe because only the gateway writes entries.
  return stream.map(([, [, json = '']]) => JSON.parse(json) as LedgerEntry);
}

/** Waits for a number of entries. Fails if there are more of them. */
export async function waitForEntries(redis: Redis, prefix: string, count: number): Promise<LedgerEntry[]> {
  await expect.poll(async () => (await ledgerEntries(redis, prefix)).length).toBeGreaterThanOrEqual(count);
  const entries = await ledgerEntries(redis, prefix);
  expect(entries).toHaveLength(count);
  return entries;
}
