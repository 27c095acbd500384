import { type LedgerEntry, type LedgerStore, openLedgerStore } from '@sluice/ledger';
import { openRedis } from '@sluice/testkit';

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
 * Checks the ledger after a run: each ended task has one entry, and the entries, the hourly sums, and the key's budget
 * have the same cost, to the nano-dollar.
 */
export async function judgeLedger(
  { redisUrl, ledgerFile }: { redisUrl: string; ledgerFile: string },
  key: string,
  ended: readonly string[],
): Promise<LedgerFindings> {
  const redis = openRedis(redisUrl);
  const store = openLedgerStore({ file: ledgerFile });
  try {
    const length = () => redis.xlen(`${PREFIX}ledger`);
    const until = Date.now() + DRAIN_MS;
    while ((await length()) > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const [left, dropped] = [await length(), Number((await redis.get(`${PREFIX}ledger:dropped`)) ?? 0)];
    const [spent, held] = await redis.hmget(`${PREFIX}budget:${key}`, 'total', 'held');
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
        ...unequal('cost charged to the budget', Number(spent ?? 0), costNanos),
        ...unequal('amount that is still reserved', Number(held ?? 0), 0),
      ],
    };
  } finally {
    redis.disconnect();
    await store.close();
  }
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
