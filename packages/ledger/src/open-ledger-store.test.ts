import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from './entry/ledger-entry.ts';
import type { EntryFilters, LedgerStore, UsageQuery } from './store/ledger-store.ts';
import { InvalidPositionError } from './store/sql/query-entries.ts';
import { openLedgerStore } from './open-ledger-store.ts';

const HOUR = 3_600_000;
const MONDAY = Date.UTC(2026, 10, 23);

const found = await findPostgres();
let postgres: PrivatePostgres | undefined;
let folder = '';
let store: LedgerStore;
beforeAll(async () => {
  if (!('failure' in found)) postgres = await startPrivatePostgres(found);
});
afterAll(() => postgres?.close());

const STORES: Record<string, () => Promise<string | undefined>> = {
  SQLite: () => Promise.resolve(undefined),
  PostgreSQL: async () => postgres?.createDatabase(),
};

let entries = 0;

function entry(fields: Partial<LedgerEntry> = {}): LedgerEntry {
  entries += 1;
  return {
    id: `entry_${entries}`,
    type: 'request',
    at: MONDAY + HOUR,
    key: 'alice',
    endpoint: 'POST /v1/chat/completions',
    model: 'gpt-x',
    upstream: 'acme',
    status: 200,
    durationMs: 100,
    usage: { inputTokens: 10, outputTokens: 5 },
    costNanos: 1_000,
    ...fields,
  };
}

const usage = (query: Partial<UsageQuery> = {}) =>
  store.usage({ start: MONDAY, end: MONDAY + 24 * HOUR, groupBy: [], timeZone: 'UTC', filters: {}, ...query });

const groupNames = async (query: Partial<UsageQuery>) =>
  (await usage({ groupBy: ['key', 'model'], ...query })).map(({ group }) => `${group.key} ${group.model}`);

async function deleteAllBefore(times: { entries: number; rollups: number }): Promise<void> {
  let deleted = 1;
  while (deleted > 0) deleted = await store.deleteBefore(times);
}

describe.each(Object.keys(STORES))('%s', (name) => {
  const reason = name === 'PostgreSQL' && 'failure' in found ? ` [skipped: ${found.failure}]` : '';
  describe.skipIf(reason !== '')(`is a store that${reason}`, () => {
    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'sluice-ledger-'));
      store = openLedgerStore({ file: path.join(folder, 'ledger.sqlite'), url: await STORES[name]?.() });
    });
    afterEach(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });

    describe('add', () => {
      it('counts an entry once, also if it is repeated in a batch or later', async () => {
        const [one, other] = [entry(), entry({ costNanos: 5 })];
        await store.add([one, other, one]);
        await store.add([other, entry({ costNanos: 70 })]);
        expect(await usage()).toMatchObject([{ requests: 3, costNanos: 1_075, inputTokens: 30, durationMs: 300 }]);
      });

      it('counts errors, tasks, and entries without a price', async () => {
        await store.add([
          entry({ status: 429, usage: {}, costNanos: 0 }),
          entry({ type: 'task', status: 'failed', usage: {} }),
          entry({ type: 'task', status: 'completed', usage: { videoSeconds: 1.5 }, costNanos: undefined }),
          entry({ status: 200, usage: undefined, costNanos: undefined }),
          // Its cost is in the entry of the task.
          entry({ status: 200, taskId: 'video_1', usage: undefined, costNanos: undefined }),
          entry({ usage: { audioSeconds: 2.25 } }),
          // Streams that failed after their status, and whose client disconnected.
          entry({ status: 200, errorCode: 'provider_error', usage: {} }),
          entry({ status: 200, errorCode: 'aborted', usage: {} }),
          entry({ type: 'task', status: 'canceled', errorCode: 'canceled', usage: {} }),
        ] as LedgerEntry[]);
        expect(await usage()).toMatchObject([
          { requests: 6, tasks: 3, errors: 3, unpriced: 2, videoMs: 1_500, audioMs: 2_250 },
        ]);
      });

      it('counts late usage, but no second request', async () => {
        const late = entry({ id: 'late_resp_1', requestId: 'req_1', costNanos: 7 });
        await store.add([entry({ requestId: 'req_1' }), late]);
        expect(await usage()).toMatchObject([{ requests: 1, costNanos: 1_007, inputTokens: 20 }]);
        expect((await store.entries({ filters: { type: 'request' }, limit: 5 })).entries).toHaveLength(2);
      });

      it('stores texts of any length and content', async () => {
        const odd = entry({
          user: `a\0b\ud800${'é'.repeat(5_000)}`,
          model: 'x'.repeat(10_000),
          labels: { team: 'ü\0' },
        });
        await store.add([odd]);
        expect(await store.entries({ filters: { user: odd.user ?? '', model: odd.model ?? '' }, limit: 5 })).toEqual({
          entries: [JSON.parse(JSON.stringify(odd))],
        });
        expect(await usage({ filters: { label: 'team=ü\0' } })).toMatchObject([{ requests: 1 }]);
      });
    });

    describe('usage', () => {
      it('groups by two dimensions', async () => {
        await store.add([
          entry({ key: 'alice', model: 'a' }),
          entry({ key: 'bob', model: 'a' }),
          entry({ key: 'bob', model: 'b', at: MONDAY + 30 * HOUR }),
        ]);
        const rows = await usage({ end: MONDAY + 48 * HOUR, groupBy: ['key', 'day'] });
        expect(rows.map(({ group, requests }) => [group, requests])).toEqual([
          [{ key: 'alice', day: '2026-11-23' }, 1],
          [{ key: 'bob', day: '2026-11-23' }, 1],
          [{ key: 'bob', day: '2026-11-24' }, 1],
        ]);
      });

      it('counts an entry for each of its labels, and entries without labels together', async () => {
        await store.add([entry({ labels: { team: 'a', feature: 'b' } }), entry({ labels: { team: 'a' } }), entry()]);
        const rows = await usage({ groupBy: ['label'] });
        expect(rows.map(({ group, requests }) => [group.label, requests])).toEqual([
          ['', 1],
          ['feature=b', 1],
          ['team=a', 2],
        ]);
        expect(await usage({ filters: { label: 'team=a' } })).toMatchObject([{ requests: 2 }]);
      });

      it('returns pages of groups, and groups with one of several values', async () => {
        await store.add(['a', 'b', 'c', 'd'].flatMap((key) => [entry({ key }), entry({ key, model: 'other' })]));
        expect(await groupNames({ limit: 3 })).toEqual(['a gpt-x', 'a other', 'b gpt-x']);
        expect(await groupNames({ limit: 2, after: { key: 'b', model: 'gpt-x' } })).toEqual(['b other', 'c gpt-x']);
        expect(await groupNames({ after: { key: 'd', model: 'other' } })).toEqual([]);
        expect(await groupNames({ filters: { key: ['d', 'a'], model: 'other' } })).toEqual(['a other', 'd other']);
      });

      it('counts only the entries in a range that starts and ends within an hour', async () => {
        await store.add([0, 10, 20, 70, 130, 140].map((minutes) => entry({ at: MONDAY + minutes * 60_000 })));
        const [start, end] = [MONDAY + 10 * 60_000, MONDAY + 140 * 60_000];
        expect(await usage({ start, end })).toMatchObject([{ requests: 4 }]);
        expect(await usage({ start, end: start + 60_000 })).toMatchObject([{ requests: 1 }]);
        expect(await usage({ start, end: start })).toEqual([]);
      });

      it('splits days and hours in the time zone', async () => {
        await store.add([
          entry({ at: MONDAY + 18 * HOUR + 20 * 60_000 }),
          entry({ at: MONDAY + 18 * HOUR + 40 * 60_000 }),
        ]);
        const rows = await usage({ groupBy: ['day'], timeZone: 'Asia/Kolkata' });
        expect(rows.map(({ group }) => group.day)).toEqual(['2026-11-23', '2026-11-24']);
        const [hour] = await usage({ groupBy: ['hour'], timeZone: 'America/New_York' });
        expect(hour).toMatchObject({ group: { hour: '2026-11-23T13:00:00-05:00' }, requests: 2 });
      });

      it('has days of 25 and 23 hours', async () => {
        const start = Date.UTC(2026, 9, 20);
        await store.add(Array.from({ length: 24 * 14 }, (_, hour) => entry({ at: start + hour * HOUR })));
        const query = { start, end: start + 24 * 14 * HOUR, groupBy: ['day'], timeZone: 'Europe/Berlin' } as const;
        const rows = await usage(query);
        const hours = rows.map(({ requests }) => requests);
        expect(hours).toEqual([22, 24, 24, 24, 24, 25, 24, 24, 24, 24, 24, 24, 24, 24, 1]);
        expect(rows[5]?.group.day).toBe('2026-10-25');
      });

      it('rejects an unknown time zone', async () => {
        await expect(usage({ timeZone: 'Mars/Olympus' })).rejects.toThrow(RangeError);
      });
    });

    describe('entries', () => {
      it('pages through entries of the same time, the newest first', async () => {
        const added = Array.from({ length: 7 }, (_, index) => entry({ at: MONDAY + Math.floor(index / 3) }));
        await store.add(added);
        const pages: string[][] = [];
        let after: string | undefined;
        do {
          const page = await store.entries({ filters: {}, limit: 2, ...(after !== undefined && { after }) });
          pages.push(page.entries.map(({ id }) => id));
          after = page.next;
        } while (after !== undefined);
        expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
        expect(pages.flat()).toEqual(
          added.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id),
        );
      });

      it('rejects a position that it did not return', async () => {
        for (const after of ['', 'x', '1', '1_', '99999999999999999_a'])
          await expect(store.entries({ filters: {}, limit: 2, after })).rejects.toThrow(InvalidPositionError);
      });

      it.each<[string, EntryFilters]>([
        ['its id', { id: 'the-one' }],
        ['its request id', { id: 'req_1' }],
        ['its task id', { id: 'video_1' }],
        ['its key', { key: 'bob' }],
        ['its model', { model: 'm' }],
        ['its upstream', { upstream: 'u' }],
        ['its user', { user: 'carol' }],
        ['its label', { label: 'team=x' }],
        ['its type', { type: 'task' }],
        ['its state', { status: 'failed' }],
        ['an error', { status: 'error' }],
        ['its cost', { minCostNanos: 2_000 }],
        ['its duration', { minDurationMs: 500 }],
        ['a fraction of a duration', { minDurationMs: 499.5 }],
        ['its first event', { minFirstEventMs: 120 }],
        ['several filters', { key: 'bob', status: 'error', label: 'team=x' }],
      ])('finds an entry by %s', async (_what, filters) => {
        const one = entry({
          id: 'the-one',
          requestId: 'req_1',
          taskId: 'video_1',
          key: 'bob',
          model: 'm',
          upstream: 'u',
          user: 'carol',
          labels: { team: 'x', other: 'y' },
          type: 'task',
          status: 'failed',
          costNanos: 2_000,
          durationMs: 500,
          firstEventMs: 120,
        });
        await store.add([entry(), one, entry({ labels: { team: 'y' } })]);
        expect(await store.entries({ filters, limit: 10 })).toEqual({ entries: [one] });
        expect((await store.entries({ filters: { ...filters, key: 'nobody' }, limit: 10 })).entries).toEqual([]);
      });

      it('finds entries by a range of request ids', async () => {
        const ids = ['req_b1', 'req_b29', 'req_b300'];
        await store.add([...ids, 'req_b:', 'req_B1', 'req_a1', 'req_c1'].map((requestId) => entry({ requestId })));
        const filters = { requestIds: { first: 'req_b0', end: 'req_b:' } };
        const page = await store.entries({ filters, limit: 10 });
        expect(new Set(page.entries.map(({ requestId }) => requestId))).toEqual(new Set(ids));
      });

      it('counts entries and errors over time', async () => {
        await store.add([
          entry({ at: MONDAY - 1 }),
          entry({ at: MONDAY }),
          entry({ at: MONDAY + 59_999, status: 500 }),
          entry({ at: MONDAY + 180_000, key: 'bob', status: 429 }),
          entry({ at: MONDAY + 240_000 }),
        ]);
        const count = (filters: EntryFilters) =>
          store.histogram({ start: MONDAY, end: MONDAY + 240_000, stepMs: 60_000, filters });
        expect(await count({})).toEqual([
          { at: MONDAY, entries: 2, errors: 1 },
          { at: MONDAY + 180_000, entries: 1, errors: 1 },
        ]);
        expect(await count({ key: 'alice', status: 'ok' })).toEqual([{ at: MONDAY, entries: 1, errors: 0 }]);
      });

      it('finds entries of a status and of a time', async () => {
        await store.add([entry(), entry({ status: 429 }), entry({ status: 200, at: MONDAY })]);
        const find = async (filters: EntryFilters, times = {}) =>
          (await store.entries({ filters, limit: 10, ...times })).entries.map(({ status, at }) => [
            status,
            at - MONDAY,
          ]);
        expect(await find({ status: '429' })).toEqual([[429, HOUR]]);
        expect(await find({ status: 'ok' })).toEqual([
          [200, HOUR],
          [200, 0],
        ]);
        expect(await find({}, { start: MONDAY, end: MONDAY + HOUR })).toEqual([[200, 0]]);
      });
    });

    describe('deleteBefore', () => {
      it('deletes old entries and keeps their sums until the rollups are deleted', async () => {
        await store.add(
          Array.from({ length: 48 }, (_, hour) => entry({ at: MONDAY + hour * HOUR, labels: { a: 'b' } })),
        );
        const days = { end: MONDAY + 48 * HOUR, groupBy: ['day'] } as const;
        await deleteAllBefore({ entries: MONDAY + 24 * HOUR + 1, rollups: 0 });
        const page = await store.entries({ filters: { label: 'a=b' }, limit: 100 });
        expect(page.entries.map(({ at }) => at >= MONDAY + 24 * HOUR)).toEqual(Array(24).fill(true));
        expect((await usage(days)).map(({ requests }) => requests)).toEqual([24, 24]);
        await deleteAllBefore({ entries: MONDAY + 24 * HOUR, rollups: MONDAY + 25 * HOUR });
        expect((await usage(days)).map(({ group }) => group.day)).toEqual(['2026-11-24']);
      });

      it('counts hours without entries in the day and the range in which they start', async () => {
        await store.add(Array.from({ length: 24 }, (_, hour) => entry({ at: MONDAY + hour * HOUR + 60_000 })));
        await deleteAllBefore({ entries: MONDAY + 24 * HOUR, rollups: 0 });
        const rows = await usage({ groupBy: ['day'], timeZone: 'Asia/Kolkata' });
        expect(rows.map(({ requests }) => requests)).toEqual([19, 5]);
        const half = { start: MONDAY + HOUR / 2, end: MONDAY + 5 * HOUR + HOUR / 2 };
        expect(await usage(half)).toMatchObject([{ requests: 5 }]);
      });
    });
  });
});
