import { describe, expect, it } from 'vitest';
import type { EntryFilters } from './store/ledger-store.ts';
import { InvalidPositionError } from './store/sql/query-entries.ts';
import { describeEachStore, entry, HOUR, MONDAY } from '../test/each-store.ts';

describeEachStore((ledger) => {
  describe('entries', () => {
    it('pages through entries of the same time, the newest first', async () => {
      const added = Array.from({ length: 7 }, (_, index) => entry({ at: MONDAY + Math.floor(index / 3) }));
      await ledger.store.add(added);
      const pages: string[][] = [];
      let after: string | undefined;
      do {
        const page = await ledger.store.entries({ filters: {}, limit: 2, ...(after !== undefined && { after }) });
        pages.push(page.entries.map(({ id }) => id));
        after = page.next;
      } while (after !== undefined);
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
      expect(pages.flat()).toEqual(added.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id));
    });

    it('rejects a position that it did not return', async () => {
      for (const after of ['', 'x', '1', '1_', '99999999999999999_a'])
        await expect(ledger.store.entries({ filters: {}, limit: 2, after })).rejects.toThrow(InvalidPositionError);
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
      await ledger.store.add([entry(), one, entry({ labels: { team: 'y' } })]);
      expect(await ledger.store.entries({ filters, limit: 10 })).toEqual({ entries: [one] });
      expect((await ledger.store.entries({ filters: { ...filters, key: 'nobody' }, limit: 10 })).entries).toEqual([]);
    });

    it('finds entries by a range of request ids', async () => {
      const ids = ['req_b1', 'req_b29', 'req_b300'];
      await ledger.store.add([...ids, 'req_b:', 'req_B1', 'req_a1', 'req_c1'].map((requestId) => entry({ requestId })));
      const filters = { requestIds: { first: 'req_b0', end: 'req_b:' } };
      const page = await ledger.store.entries({ filters, limit: 10 });
      expect(new Set(page.entries.map(({ requestId }) => requestId))).toEqual(new Set(ids));
    });

    it('counts entries and errors over time', async () => {
      await ledger.store.add([
        entry({ at: MONDAY - 1 }),
        entry({ at: MONDAY }),
        entry({ at: MONDAY + 59_999, status: 500 }),
        entry({ at: MONDAY + 180_000, key: 'bob', status: 429 }),
        entry({ at: MONDAY + 240_000 }),
      ]);
      const count = (filters: EntryFilters) =>
        ledger.store.histogram({ start: MONDAY, end: MONDAY + 240_000, stepMs: 60_000, filters });
      expect(await count({})).toEqual([
        { at: MONDAY, entries: 2, errors: 1 },
        { at: MONDAY + 180_000, entries: 1, errors: 1 },
      ]);
      expect(await count({ key: 'alice', status: 'ok' })).toEqual([{ at: MONDAY, entries: 1, errors: 0 }]);
    });

    it('finds entries of a status and of a time', async () => {
      await ledger.store.add([entry(), entry({ status: 429 }), entry({ status: 200, at: MONDAY })]);
      const find = async (filters: EntryFilters, times = {}) =>
        (await ledger.store.entries({ filters, limit: 10, ...times })).entries.map(({ status, at }) => [
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
});
