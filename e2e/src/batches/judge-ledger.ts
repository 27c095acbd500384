import path from 'node:path';
import { type LedgerEntry, openLedgerStore } from '@sluice/ledger';
import { openRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { costOf, usageOf } from './counting-vendor.ts';
import { count, type Results } from './judge-results.ts';

export interface LedgerFindings {
  /** The entries of lines whose request was served. */
  entries: number;
  /** Their cost, in nano-dollars. */
  nanos: number;
  /** The entries of lines that ended as `outcome_unknown`. */
  unknown: number;
  /** One line per violation. */
  faults: string[];
}

/** Maximum time until a worker has moved all entries to the store. */
const DRAIN_MS = 120_000;
const POLL_MS = 250;
const PAGE = 1_000;
const PREFIX = '{sluice}:';

/**
 * Compares the ledger with the results of a batch. Each line in the output file has one entry with the cost of the line's
 * usage. A line whose outcome is unknown may have one, because it may have been paid for. The hourly sums, and the charge
 * of a key with a budget, are the sum of the entries.
 */
export async function judgeLedger(
  { redisUrl, dataDir, owner, isCharged }: { redisUrl: string; dataDir: string; owner: string; isCharged: boolean },
  batchId: string,
  { costs }: Pick<Results, 'costs'>,
): Promise<LedgerFindings> {
  const redis = openRedis(redisUrl);
  await drained(redis);
  const found: LedgerFindings = { entries: 0, nanos: 0, unknown: 0, faults: [] };
  const entries = new Uint8Array(costs.length);
  const charged = new Float64Array(costs.length);
  const store = openLedgerStore({ file: path.join(dataDir, 'ledger.sqlite') });
  try {
    const requests = `batch_req_${batchId.slice('batch_'.length)}`;
    for (let after: string | undefined; ;) {
      const filters = { type: 'request' } as const;
      const page = await store.entries({ filters, limit: PAGE, ...(after !== undefined && { after }) });
      for (const { requestId = '', usage, costNanos = 0 } of page.entries) {
        if (!requestId.startsWith(requests) || !usage) continue;
        const line = Number(requestId.slice(requests.length)) - 1;
        entries[line] = (entries[line] ?? 0) + 1;
        charged[line] = (charged[line] ?? 0) + costNanos;
        found.entries += 1;
        found.nanos += costNanos;
        if (costs[line] === 0) found.unknown += 1;
      }
      if (page.next === undefined) break;
      after = page.next;
    }
    const { faults } = found;
    const isCompleted = (line: number) => (costs[line] ?? 0) > 0;
    count(entries, (times, line) => times === 0 && isCompleted(line), 'lines with a response but no entry', faults);
    count(entries, (times) => times > 1, 'lines with more than one entry', faults);
    const expected = (line: number) => (isCompleted(line) ? (costs[line] ?? 0) : costOf(usageOf(line)));
    count(charged, (nanos, line) => nanos > 0 && nanos !== expected(line), 'entries with a wrong cost', faults);
    const sum = await hourlySum((query) => store.usage(query));
    if (sum !== found.nanos) faults.push(`the hourly sums are ${sum} nano-dollars, and the entries ${found.nanos}`);
    const spent = Number(await redis.hget(`${PREFIX}budget:${owner}`, 'total'));
    if (isCharged && spent !== found.nanos)
      faults.push(`the key was charged ${spent} nano-dollars, not ${found.nanos}`);
    return found;
  } finally {
    redis.disconnect();
    await store.close();
  }
}

type ReadUsage = ReturnType<typeof openLedgerStore>['usage'];

async function hourlySum(usage: ReadUsage): Promise<number> {
  const end = Date.now() + 3_600_000;
  const endpoint: LedgerEntry['endpoint'] = 'POST /v1/chat/completions';
  const rows = await usage({ start: 0, end, groupBy: ['key'], timeZone: 'UTC', filters: { endpoint } });
  return rows.reduce((sum, { costNanos }) => sum + (costNanos ?? 0), 0);
}

async function drained(redis: Redis): Promise<void> {
  for (const until = Date.now() + DRAIN_MS; Date.now() < until && (await redis.xlen(`${PREFIX}ledger`)) > 0;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
