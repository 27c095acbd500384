import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '@sluice/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../entry/ledger-entry.ts';
import type { LedgerStore, UsageDimension, UsageQuery, UsageRow } from '../ledger-store.ts';
import { openPostgresDatabase } from '../postgres/postgres-database.ts';
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts';
import { SUM_NAMES, sumsOf } from './columns.ts';
import { createSqlStore } from './sql-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** In these weeks, some of these zones change their offset, by an hour, by half an hour, or by a day. */
const WEEKS = [Date.UTC(2026, 2, 5), Date.UTC(2026, 3, 2), Date.UTC(2026, 9, 22), Date.UTC(2011, 11, 28)];
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Apia',
];

const entryArbitrary = fc.record<Partial<LedgerEntry> & Pick<LedgerEntry, 'id' | 'at'>>(
  {
    id: fc.integer({ min: 0, max: 60 }).map((id) => `e${id}`),
    at: fc.integer({ min: 0, max: 20 * DAY }),
    type: fc.constantFrom('request', 'task'),
    key: fc.constantFrom('alice', 'bob'),
    model: fc.constantFrom('m', 'ü', undefined),
    upstream: fc.constantFrom('u', 'v', undefined),
    endpoint: fc.constantFrom('POST /a', 'POST /b'),
    // The order of the last two differs between UTF-8 and UTF-16.
    user: fc.constantFrom('x', 'y', undefined, '～', '𝄞'),
    labels: fc.dictionary(fc.constantFrom('team', 'feature'), fc.constantFrom('a', 'b'), { noNullPrototype: true }),
    status: fc.constantFrom(200, 499, 'failed', 'completed'),
    durationMs: fc.nat({ max: 1e6 }),
    costNanos: fc.option(fc.integer({ min: 0, max: 1e15 }), { nil: undefined }),
    usage: fc.record(
      { inputTokens: fc.nat(), outputTokens: fc.nat(), videoSeconds: fc.nat({ max: 100 }) },
      {
        requiredKeys: [],
      },
    ),
  },
  { noNullPrototype: true },
);

const valuesOf: Record<string, string[]> = {
  key: ['alice', 'bob'],
  model: ['m', 'ü', ''],
  upstream: ['u', ''],
  endpoint: ['POST /a'],
  user: ['x', ''],
  label: ['team=a', 'feature=b', ''],
};
const dimension = fc.constantFrom<UsageDimension>(
  'key',
  'model',
  'upstream',
  'endpoint',
  'user',
  'label',
  'day',
  'hour',
);
const queryArbitrary = fc.record({
  range: fc.tuple(fc.integer({ min: -HOUR, max: 21 * DAY }), fc.integer({ min: -HOUR, max: 21 * DAY })),
  isAligned: fc.boolean(),
  groupBy: fc.uniqueArray(dimension, { maxLength: 3 }),
  timeZone: fc.constantFrom(...ZONES),
  filters: fc.uniqueArray(fc.constantFrom(...Object.keys(valuesOf)), { maxLength: 2 }).chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fc.subarray(valuesOf[name] ?? [], { minLength: 1 })])), {
      noNullPrototype: true,
    }),
  ),
});

/** The sums of the entries, by another way than the store's. */
function expectedRows(entries: readonly LedgerEntry[], query: UsageQuery): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const entry of entries) {
    if (entry.at < query.start || entry.at >= query.end) continue;
    const labels = Object.entries(entry.labels ?? {}).map(([name, value]) => `${name}=${value}`);
    const usesLabels = query.groupBy.includes('label') || query.filters.label !== undefined;
    for (const label of usesLabels && labels.length > 0 ? labels : ['']) {
      const values: Record<UsageDimension, string> = {
        key: entry.key,
        model: entry.model ?? '',
        upstream: entry.upstream ?? '',
        endpoint: entry.endpoint,
        user: entry.user ?? '',
        label,
        day: new Date(entry.at).toLocaleDateString('sv-SE', { timeZone: query.timeZone }),
        hour: hourOf(Math.floor(entry.at / HOUR) * HOUR, query.timeZone),
      };
      const isIncluded = Object.entries(query.filters).every(([name, allowed]) =>
        allowed.includes(values[name as UsageDimension]),
      );
      if (!isIncluded) continue;
      const group = Object.fromEntries(query.groupBy.map((name) => [name, values[name]]));
      const key = JSON.stringify(group);
      const sums = sumsOf(entry);
      const row = rows.get(key) ?? { group, ...sums };
      if (rows.has(key)) for (const name of SUM_NAMES) row[name] += sums[name];
      rows.set(key, row);
    }
  }
  return [...rows.values()];
}

function hourOf(at: number, timeZone: string): string {
  const local = new Date(at).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '');
  return local + (offset === '+00:00' ? 'Z' : offset);
}

const byGroup = (rows: readonly UsageRow[]) =>
  rows.toSorted((a, b) => (JSON.stringify(a.group) < JSON.stringify(b.group) ? -1 : 1));

async function readInPages(store: LedgerStore, query: UsageQuery): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await store.usage({ ...query, limit: 3, ...(last && { after: last.group }) });
    rows.push(...page);
    if (page.length < 3) return rows;
  }
}

async function checkSums(open: () => Promise<LedgerStore>, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(
    fc.constantFrom(...WEEKS),
    fc.array(fc.array(entryArbitrary, { maxLength: 30 }), { minLength: 1, maxLength: 5 }),
    fc.array(queryArbitrary, { minLength: 1, maxLength: 8 }),
    async (week, batches, queries) => {
      const store = await open();
      // The cast is safe because the arbitrary has all required members.
      const filled = batches.map((batch) => batch.map((one) => ({ ...one, at: one.at + week }) as LedgerEntry));
      // Batches run at the same time, and the first one is repeated.
      await Promise.all([...filled, filled[0] ?? []].map((batch) => store.add(batch)));
      const stored = (await store.entries({ filters: {}, limit: 1_000 })).entries;
      expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(filled.flat().map(({ id }) => id)));
      for (const { range, isAligned, ...query } of queries) {
        const [start = 0, end = 0] = range
          .map((time) => week + (isAligned ? Math.round(time / HOUR) * HOUR : time))
          .toSorted((a, b) => a - b);
        const asked: UsageQuery = { ...query, start, end };
        const rows = await store.usage(asked);
        expect(byGroup(rows)).toEqual(byGroup(expectedRows(stored, asked)));
        expect(await readInPages(store, asked)).toEqual(rows);
        const some = await store.usage({ ...asked, sums: ['requests', 'costNanos'] });
        expect(some.map(({ requests, costNanos, inputTokens }) => [requests, costNanos, inputTokens])).toEqual(
          rows.map(({ requests, costNanos }) => [requests, costNanos, 0]),
        );
      }
      await store.close();
    },
  );
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 60_000 });
}

let postgres: PrivatePostgres | undefined;

async function openInPostgres(): Promise<LedgerStore> {
  return createSqlStore(openPostgresDatabase((await postgres?.createDatabase()) ?? ''));
}

const found = await findPostgres();
const skipped = 'failure' in found ? ` [skipped: ${found.failure}]` : '';

describe('the sums of a query are those of its entries', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-ledger-'));
    if (!('failure' in found)) postgres = await startPrivatePostgres(found);
  });
  afterAll(async () => {
    await postgres?.close();
    await rm(folder, { recursive: true });
  });

  it('in SQLite, with two connections', async () => {
    let files = 0;
    const open = () => {
      files += 1;
      const file = path.join(folder, `${files}.sqlite`);
      const one = createSqlStore(openSqliteDatabase(file));
      const other = createSqlStore(openSqliteDatabase(file));
      let adds = 0;
      let last = Promise.resolve();
      // In one thread, a connection must not wait for the other.
      const add: LedgerStore['add'] = (entries) => {
        adds += 1;
        const writer = adds % 2 === 0 ? one : other;
        last = last.then(() => writer.add(entries));
        return last;
      };
      return Promise.resolve({
        ...one,
        add,
        close: async () => void (await Promise.all([one.close(), other.close()])),
      });
    };
    await checkSums(open, 60);
  }, 120_000);

  it.skipIf(skipped !== '')(
    `in PostgreSQL${skipped}`,
    async () => {
      await checkSums(openInPostgres, 25);
    },
    120_000,
  );
});
