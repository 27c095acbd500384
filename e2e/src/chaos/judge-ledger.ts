import { type LedgerEntry, type LedgerStore, openLedgerStore } from '@sluice/ledger';
import { openRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';

/** Maximum time until the last entries are in the store. */
const DRAIN_MS = 60_000;
const POLL_MS = 250;
const PAGE = 500;
const PREFIX = '{sluice}:';

export interface LedgerFindings {
  entries: number;
  /** The sum of all entries, in nano-dollars. */
  costNanos: number;
  /** One line per violation. */
  faults: string[];
}

/**
 * Checks the ledger after a run: each ended task has one entry, and the entries, the hourly sums, and the key's budget,
 * if it has one, have the same cost, to the nano-dollar.
 */
export async function judgeLedger(
  { redisUrls, ledgerFile }: { redisUrls: () => string[]; ledgerFile: string },
  key: string,
  ended: readonly string[],
): Promise<LedgerFindings> {
  const [home, ...shards] = redisUrls().map((url) => openRedis(url));
  if (!home) throw new Error('There is no Redis.');
  const servers = [home, ...shards];
  const store = openLedgerStore({ file: ledgerFile });
  try {
    const length = () => sumOf(servers, (redis) => redis.xlen(`${PREFIX}ledger`));
    const until = Date.now() + DRAIN_MS;
    while ((await length()) > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const left = await length();
    const dropped = await sumOf(servers, async (redis) => Number((await redis.get(`${PREFIX}ledger:dropped`)) ?? 0));
    const [spent, held] = await home.hmget(`${PREFIX}budget:${key}`, 'total', 'held');
    const entries = await taskEntries(store);
    const costNanos = entries.reduce((sum, entry) => sum + (entry.costNanos ?? 0), 0);
    const sums = await sumsOf(store, key);
    const ids = new Set(entries.map(({ id }) => id));
    const endedIds = new Set(ended);
    return {
      entries: entries.length,
      costNanos,
      faults: [
        ...(left > 0 ? [`the ledger has not stored ${left} entries`] : []),
        ...(dropped > 0 ? [`the ledger has dropped ${dropped} entries`] : []),
        ...ended.filter((id) => !ids.has(id)).map((id) => `without a ledger entry: ${id}`),
        ...[...ids].filter((id) => !endedIds.has(id)).map((id) => `with a ledger entry but not ended: ${id}`),
        ...(ids.size === entries.length ? [] : [`${entries.length - ids.size} doubled ledger entries`]),
        ...unequal('tasks in the hourly sums', sums.tasks, entries.length),
        ...unequal('cost in the hourly sums', sums.costNanos, costNanos),
        // With shards, the key has no budget.
        ...(shards.length > 0 ? [] : unequal('cost charged to the budget', Number(spent ?? 0), costNanos)),
        ...unequal('amount that is still reserved', Number(held ?? 0), 0),
      ],
    };
  } finally {
    for (const redis of servers) redis.disconnect();
    await store.close();
  }
}

async function sumOf(servers: readonly Redis[], read: (redis: Redis) => Promise<number>): Promise<number> {
  const values = await Promise.all(servers.map(read));
  return values.reduce((sum, value) => sum + value, 0);
}

function unequal(what: string, actual: number, expected: number): string[] {
  return actual === expected ? [] : [`${what}: ${actual} instead of ${expected}`];
}

async function taskEntries(store: LedgerStore): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.entries({ filters: { type: 'task' }, limit: PAGE, ...(after !== undefined && { after }) });
    entries.push(...page.entries);
    if (page.next === undefined) return entries;
    after = page.next;
  }
}

async function sumsOf(store: LedgerStore, key: string): Promise<{ tasks: number; costNanos: number }> {
  const rows = await store.usage({
    start: 0,
    end: Date.now() + 3_600_000,
    groupBy: ['key'],
    timeZone: 'UTC',
    filters: { key },
  });
  const row = rows[0];
  return { tasks: row?.tasks ?? 0, costNanos: row?.costNanos ?? 0 };
}
