import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminAuth } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { type LedgerRig, ledgerRig } from '../../test/ledger/ledger-rig.ts';
import { LedgerPageSchema } from '../metering/ledger-response.ts';
import { RequestHistogramSchema } from '../metering/reports/request-histogram.ts';
import { LatencySchema } from './request-endpoints.ts';

let rig: LedgerRig;
beforeEach(async () => {
  rig = await ledgerRig();
});
afterEach(() => rig.close());

const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const asAdmin = { headers: adminAuth };

async function keysIn(query: string, init: RequestInit): Promise<string[]> {
  const response = await rig.call(`/v1/requests${query}`, init);
  return LedgerPageSchema.parse(await response.json()).data.map(({ key }) => key);
}

const latency = async (query: string, init: RequestInit) =>
  LatencySchema.parse(await (await rig.call(`/v1/usage/latency${query}`, init)).json());

describe('GET /v1/requests', () => {
  it('lists the own requests of a key, and all with the admin key', async () => {
    await rig.addEntries({ key: 'alice' }, { key: 'bob' }, { key: 'bob', status: 500 });
    expect(await keysIn('', withKey(KEYS.alice))).toEqual(['alice']);
    expect(await keysIn('?status=error', withKey(KEYS.bob))).toEqual(['bob']);
    expect(await keysIn('', asAdmin)).toEqual(['alice', 'bob', 'bob']);
    expect(await keysIn('?key=bob&limit=1', asAdmin)).toEqual(['bob']);
  });

  it('refuses the name of another key, and an unknown parameter', async () => {
    for (const query of ['?key=bob', '?prompt=x', '?limit=0', '?start_time=soon']) {
      expect((await rig.call(`/v1/requests${query}`, withKey(KEYS.alice))).status, query).toBe(400);
    }
  });
});

const histogram = async (query: string, init: RequestInit) =>
  RequestHistogramSchema.parse(await (await rig.call(`/v1/requests/histogram?${query}`, init)).json());
const timeOf = (text: string): number => Date.parse(text);
const seconds = (text: string): number => timeOf(text) / 1_000;

const download = (query: string, init: RequestInit) => rig.call(`/v1/requests/export?${query}`, init);

const ids = async (query: string): Promise<string[]> => {
  const list = LedgerPageSchema.pick({ data: true }).parse(await (await download(query, asAdmin)).json());
  return list.data.map(({ id }) => id);
};

describe('GET /v1/requests/histogram', () => {
  it('counts entries and errors in bars, with the filters of the list', async () => {
    await rig.addEntries(
      { at: timeOf('2026-11-23T08:00:10Z'), firstEventMs: 20 },
      { at: timeOf('2026-11-23T08:00:29Z'), firstEventMs: 90, status: 500 },
      { at: timeOf('2026-11-23T08:01:00Z'), type: 'task', status: 'completed' },
      { at: timeOf('2026-11-23T08:01:01Z'), key: 'bob' },
      { at: timeOf('2026-11-23T08:10:00Z') },
    );
    const period = `start_time=${seconds('2026-11-23T08:00:05Z')}&end_time=${seconds('2026-11-23T08:10:00Z')}`;
    const own = await histogram(period, withKey(KEYS.alice));
    expect(own).toMatchObject({ step_seconds: 5, start_time: seconds('2026-11-23T08:00:05Z') });
    expect(own.data).toEqual([
      { time: seconds('2026-11-23T08:00:10Z'), entries: 1, errors: 0 },
      { time: seconds('2026-11-23T08:00:25Z'), entries: 1, errors: 1 },
      { time: seconds('2026-11-23T08:01:00Z'), entries: 1, errors: 0 },
    ]);
    const counted = async (filter: string) =>
      (await histogram(`${period}&${filter}`, asAdmin)).data.reduce((sum, { entries }) => sum + entries, 0);
    expect(await counted('')).toBe(4);
    expect(await counted('status=error')).toBe(1);
    expect(await counted('type=task')).toBe(1);
    expect(await counted('min_first_event_ms=50')).toBe(1);
    expect(await counted('key=bob')).toBe(1);
  });

  it('counts the same over a long period, from hourly sums', async () => {
    await rig.addEntries(
      { at: timeOf('2026-11-20T08:10:00Z'), status: 500 },
      { at: timeOf('2026-11-20T09:50:00Z') },
      { at: timeOf('2026-11-22T23:59:59Z'), type: 'task', status: 'completed' },
      { at: timeOf('2026-11-10T00:00:00Z') },
    );
    const period = 'start_time=2026-11-16&end_time=2026-11-23';
    const sums = await histogram(period, asAdmin);
    expect(sums.step_seconds).toBe(3 * 3_600);
    expect(sums.data).toEqual([
      { time: seconds('2026-11-20T06:00:00Z'), entries: 1, errors: 1 },
      { time: seconds('2026-11-20T09:00:00Z'), entries: 1, errors: 0 },
      { time: seconds('2026-11-22T21:00:00Z'), entries: 1, errors: 0 },
    ]);
    // Sums do not know durations.
    expect(await histogram(`${period}&min_duration_ms=1`, asAdmin)).toEqual(sums);
  });

  it.each(['', '&min_duration_ms=1'])(
    'counts only the entries of the period in its first bar, also with `%s`',
    async (more) => {
      await rig.addEntries(
        { at: timeOf('2026-11-16T09:10:00Z') },
        { at: timeOf('2026-11-16T10:10:00Z'), status: 500 },
        { at: timeOf('2026-11-16T10:40:00Z') },
      );
      const period = `start_time=${seconds('2026-11-16T10:30:00Z')}&end_time=${seconds('2026-11-23T10:30:00Z')}`;
      const { start_time: first, data } = await histogram(period + more, asAdmin);
      expect(first).toBe(seconds('2026-11-16T09:00:00Z'));
      expect(data).toEqual([{ time: first, entries: 1, errors: 0 }]);
    },
  );
});

describe('GET /v1/requests/export', () => {
  it('returns the filtered entries of the key as CSV', async () => {
    await rig.addEntries(
      { model: '=1+1', labels: { team: 'a,b' }, dropped: ['top_k', 'seed'] },
      { status: 500 },
      { key: 'bob' },
    );
    const response = await download('status=ok', withKey(KEYS.alice));
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head = '', line = '', ...rest] = (await response.text()).split('\r\n');
    expect(rest).toEqual(['']);
    expect(head).toMatch(/^time,type,status,/);
    expect(line).toContain(`200,,alice,,"team=a,b",POST /v1/chat/completions,'=1+1,acme,gpt-x-1,250`);
    expect(line).toContain('0.00000125,top_k; seed,entry_1,req_1');
  });

  it('returns the filtered entries as JSON, also if there are several pages or none', async () => {
    await rig.addEntries(...Array.from({ length: 1_203 }, () => ({})));
    const all = await ids('format=json');
    expect([all.length, new Set(all).size, all[0], all.at(-1)]).toEqual([1_203, 1_203, 'entry_1', 'entry_1203']);
    expect(await ids('format=json&key=bob')).toEqual([]);
  });

  it('ends after 10,000 entries', async () => {
    await rig.addEntries(...Array.from({ length: 10_300 }, () => ({})));
    const lines = (await (await download('', asAdmin)).text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(10_001);
  });
});

describe('GET /v1/requests/:id', () => {
  it('returns an entry to its own key and to the admin key only', async () => {
    await rig.addEntries({ key: 'alice', requestId: 'req_a', taskId: 'video_a' });
    for (const id of ['req_a', 'video_a', 'entry_1']) {
      const statuses = [withKey(KEYS.alice), withKey(KEYS.bob), asAdmin].map(
        async (init) => (await rig.call(`/v1/requests/${id}`, init)).status,
      );
      expect(await Promise.all(statuses), id).toEqual([200, 404, 200]);
    }
  });
});

describe('GET /v1/usage/latency', () => {
  it('returns percentiles of the own successful requests', async () => {
    const entries = Array.from({ length: 20 }, (_, at) => ({ firstEventMs: at + 1, durationMs: 10 * (at + 1) }));
    await rig.addEntries(...entries, { status: 500, durationMs: 9_999 }, { key: 'bob', durationMs: 7 });
    expect(await latency('', withKey(KEYS.alice))).toEqual({
      object: 'usage.latency',
      sample: 20,
      first_event_ms: { p50: 10, p95: 19 },
      duration_ms: { p50: 100, p95: 190 },
    });
    expect(await latency('', asAdmin)).toMatchObject({ sample: 21 });
  });

  it('filters by model and upstream', async () => {
    await rig.addEntries({ model: 'a' }, { model: 'b', upstream: 'other' }, { model: 'a', upstream: 'other' });
    const samples = ['?model=a', '?upstream=other', '?model=a&upstream=other', '?model=c'].map(
      async (query) => (await latency(query, asAdmin)).sample,
    );
    expect(await Promise.all(samples)).toEqual([2, 2, 1, 0]);
  });

  it('has no percentiles without requests', async () => {
    const query = '?start_time=2026-11-01&end_time=2026-11-02';
    expect(await latency(query, withKey(KEYS.bob))).toEqual({ object: 'usage.latency', sample: 0 });
  });
});
