import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminAuth } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { type LedgerRig, ledgerRig } from '../../test/ledger/ledger-rig.ts';
import { LedgerPageSchema } from '../metering/ledger-response.ts';
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
