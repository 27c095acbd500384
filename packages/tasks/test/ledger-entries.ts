import type { Redis } from 'ioredis';

/** The parts of a ledger entry that the tests check. */
export interface Entry {
  id: string;
  key: string;
  costNanos?: number;
  lines?: { unit: string; quantity: number; nanos: number }[];
  [member: string]: unknown;
}

/** Returns the entries in the ledger's stream, oldest first. */
export async function ledgerEntries(redis: Redis, prefix: string): Promise<Entry[]> {
  const stream = await redis.xrange(`{${prefix}}:ledger`, '-', '+');
  return stream.map(([, fields]) => JSON.parse(fields[1] ?? '') as Entry);
}
