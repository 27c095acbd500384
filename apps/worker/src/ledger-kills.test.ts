import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LedgerEntry, ledgerKeys, openLedgerStore, readLedgerStats, type UsageDimension } from '@sluice/ledger';
import { openRedis, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const KILLS = 6;
const LONG = 180_000;
const START = Date.UTC(2026, 10, 23);

let folder = '';
const workers = new Set<ChildProcess>();
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-worker-'));
});
afterEach(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  workers.clear();
  await rm(folder, { recursive: true });
});

function entry(index: number): LedgerEntry {
  return {
    id: `entry_${index}`,
    type: index % 7 === 0 ? 'task' : 'request',
    at: START + index * 1_000,
    key: `key-${index % 3}`,
    model: `model-${index % 5}`,
    upstream: 'acme',
    endpoint: 'POST /v1/chat/completions',
    user: `user-${index % 11}`,
    labels: { team: `team-${index % 4}` },
    status: 200,
    durationMs: index,
    costNanos: index * 1_001,
  };
}

async function startWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, ['--conditions=source', MAIN], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  workers.add(worker);
  await once(worker, 'message');
  return worker;
}

describe('workers that are killed while they store ledger entries', () => {
  it(
    'lose no entry and count none twice',
    async () => {
      const { redisUrl, prefix } = testRedis();
      const redis = openRedis(redisUrl);
      const keys = ledgerKeys(prefix);
      const config = { redis: { url: redisUrl, prefix }, keys: [{ name: 'local', key: 'sk-test-local' }] };
      await writeFile(path.join(folder, 'sluice.yaml'), JSON.stringify(config));

      let appended = 0;
      const append = async (count: number) => {
        const pipeline = redis.pipeline();
        for (let index = 0; index < count; index += 1) {
          pipeline.xadd(keys.stream, '*', 'entry', JSON.stringify(entry(appended)));
          // A sender that retries can append an entry twice.
          if (appended % 10 === 0) pipeline.xadd(keys.stream, '*', 'entry', JSON.stringify(entry(appended)));
          appended += 1;
        }
        await pipeline.exec();
      };
      const stored = async () => (await readLedgerStats(redis, prefix, Date.now())).stored;

      for (let kill = 0; kill < KILLS; kill += 1) {
        const worker = await startWorker();
        const before = await stored();
        await append(3_000);
        await expect.poll(stored, { interval: 2, timeout: 60_000 }).toBeGreaterThan(before);
        // Long enough for a few batches, so that each kill is at another point of a batch.
        await sleep(kill * 7);
        worker.kill('SIGKILL');
        await once(worker, 'exit');
        // As if the lock had expired.
        await redis.del(keys.drainer);
      }
      await startWorker();
      await expect.poll(() => redis.xlen(keys.stream), { timeout: 60_000 }).toBe(0);
      redis.disconnect();

      const store = openLedgerStore({ file: path.join(folder, '.sluice/ledger.sqlite') });
      const query = { start: START, end: START + appended * 1_000, timeZone: 'UTC', filters: {} };
      const all = Array.from({ length: appended }, (_, index) => entry(index));
      const cost = all.reduce((sum, { costNanos = 0 }) => sum + costNanos, 0);
      // Each of these queries reads another rollup.
      const groups: UsageDimension[][] = [['key'], ['user'], ['label'], ['label', 'user']];
      for (const groupBy of groups) {
        const rows = await store.usage({ ...query, groupBy });
        expect(rows.reduce((sum, { requests, tasks }) => sum + requests + tasks, 0)).toBe(appended);
        expect(rows.reduce((sum, { costNanos }) => sum + costNanos, 0)).toBe(cost);
      }
      const ids = new Set<string>();
      let after: string | undefined;
      do {
        const page = await store.entries({ filters: {}, limit: 1_000, ...(after !== undefined && { after }) });
        for (const { id } of page.entries) ids.add(id);
        after = page.next;
      } while (after !== undefined);
      expect(ids.size).toBe(appended);
      await store.close();
    },
    LONG,
  );
});
