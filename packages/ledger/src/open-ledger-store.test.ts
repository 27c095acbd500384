import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from './entry/ledger-entry.ts';
import type { UsageQuery } from './store/ledger-store.ts';
import { describeEachStore, entry, HOUR, MONDAY } from '../test/each-store.ts';

describeEachStore((ledger) => {
  const usage = (query: Partial<UsageQuery> = {}) =>
    ledger.store.usage({ start: MONDAY, end: MONDAY + 24 * HOUR, groupBy: [], timeZone: 'UTC', filters: {}, ...query });

  const groupNames = async (query: Partial<UsageQuery>) =>
    (await usage({ groupBy: ['key', 'model'], ...query })).map(({ group }) => `${group.key} ${group.model}`);

  async function deleteAllBefore(times: { entries: number; rollups: number }): Promise<void> {
    let deleted = 1;
    while (deleted > 0) deleted = await ledger.store.deleteBefore(times);
  }

  describe('add', () => {
    it('counts an entry once, also if it is repeated in a batch or later', async () => {
      const [one, other] = [entry(), entry({ costNanos: 5 })];
      await ledger.store.add([one, other, one]);
      await ledger.store.add([other, entry({ costNanos: 70 })]);
      expect(await usage()).toMatchObject([{ requests: 3, costNanos: 1_075, inputTokens: 30, durationMs: 300 }]);
    });

    it('counts errors, tasks, and entries without a price', async () => {
      await ledger.store.add([
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
      await ledger.store.add([entry({ requestId: 'req_1' }), late]);
      expect(await usage()).toMatchObject([{ requests: 1, costNanos: 1_007, inputTokens: 20 }]);
      expect((await ledger.store.entries({ filters: { type: 'request' }, limit: 5 })).entries).toHaveLength(2);
    });

    it('stores texts of any length and content', async () => {
      const odd = entry({
        user: `a\0b\ud800${'é'.repeat(5_000)}`,
        model: 'x'.repeat(10_000),
        labels: { team: 'ü\0' },
      });
      await ledger.store.add([odd]);
      expect(
        await ledger.store.entries({ filters: { user: odd.user ?? '', model: odd.model ?? '' }, limit: 5 }),
      ).toEqual({
        entries: [JSON.parse(JSON.stringify(odd))],
      });
      expect(await usage({ filters: { label: 'team=ü\0' } })).toMatchObject([{ requests: 1 }]);
    });
  });

  describe('usage', () => {
    it('groups by two dimensions', async () => {
      await ledger.store.add([
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
      await ledger.store.add([
        entry({ labels: { team: 'a', feature: 'b' } }),
        entry({ labels: { team: 'a' } }),
        entry(),
      ]);
      const rows = await usage({ groupBy: ['label'] });
      expect(rows.map(({ group, requests }) => [group.label, requests])).toEqual([
        ['', 1],
        ['feature=b', 1],
        ['team=a', 2],
      ]);
      expect(await usage({ filters: { label: 'team=a' } })).toMatchObject([{ requests: 2 }]);
    });

    it('returns pages of groups, and groups with one of several values', async () => {
      await ledger.store.add(['a', 'b', 'c', 'd'].flatMap((key) => [entry({ key }), entry({ key, model: 'other' })]));
      expect(await groupNames({ limit: 3 })).toEqual(['a gpt-x', 'a other', 'b gpt-x']);
      expect(await groupNames({ limit: 2, after: { key: 'b', model: 'gpt-x' } })).toEqual(['b other', 'c gpt-x']);
      expect(await groupNames({ after: { key: 'd', model: 'other' } })).toEqual([]);
      expect(await groupNames({ filters: { key: ['d', 'a'], model: 'other' } })).toEqual(['a other', 'd other']);
    });

    it('counts only the entries in a range that starts and ends within an hour', async () => {
      await ledger.store.add([0, 10, 20, 70, 130, 140].map((minutes) => entry({ at: MONDAY + minutes * 60_000 })));
      const [start, end] = [MONDAY + 10 * 60_000, MONDAY + 140 * 60_000];
      expect(await usage({ start, end })).toMatchObject([{ requests: 4 }]);
      expect(await usage({ start, end: start + 60_000 })).toMatchObject([{ requests: 1 }]);
      expect(await usage({ start, end: start })).toEqual([]);
    });

    it('splits days and hours in the time zone', async () => {
      await ledger.store.add([
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
      await ledger.store.add(Array.from({ length: 24 * 14 }, (_, hour) => entry({ at: start + hour * HOUR })));
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

  describe('deleteBefore', () => {
    it('deletes old entries and keeps their sums until the rollups are deleted', async () => {
      await ledger.store.add(
        Array.from({ length: 48 }, (_, hour) => entry({ at: MONDAY + hour * HOUR, labels: { a: 'b' } })),
      );
      const days = { end: MONDAY + 48 * HOUR, groupBy: ['day'] } as const;
      await deleteAllBefore({ entries: MONDAY + 24 * HOUR + 1, rollups: 0 });
      const page = await ledger.store.entries({ filters: { label: 'a=b' }, limit: 100 });
      expect(page.entries.map(({ at }) => at >= MONDAY + 24 * HOUR)).toEqual(Array(24).fill(true));
      expect((await usage(days)).map(({ requests }) => requests)).toEqual([24, 24]);
      await deleteAllBefore({ entries: MONDAY + 24 * HOUR, rollups: MONDAY + 25 * HOUR });
      expect((await usage(days)).map(({ group }) => group.day)).toEqual(['2026-11-24']);
    });

    it('counts hours without entries in the day and the range in which they start', async () => {
      await ledger.store.add(Array.from({ length: 24 }, (_, hour) => entry({ at: MONDAY + hour * HOUR + 60_000 })));
      await deleteAllBefore({ entries: MONDAY + 24 * HOUR, rollups: 0 });
      const rows = await usage({ groupBy: ['day'], timeZone: 'Asia/Kolkata' });
      expect(rows.map(({ requests }) => requests)).toEqual([19, 5]);
      const half = { start: MONDAY + HOUR / 2, end: MONDAY + 5 * HOUR + HOUR / 2 };
      expect(await usage(half)).toMatchObject([{ requests: 5 }]);
    });
  });
});
