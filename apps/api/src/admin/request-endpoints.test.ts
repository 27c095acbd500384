import type { LedgerEntry } from '@sluice/ledger';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LEDGER_NOW, type LedgerRig, ledgerRig } from '../../test/ledger/ledger-rig.ts';
import { LedgerEntrySchema, LedgerPageSchema } from '../metering/ledger-response.ts';

let rig: LedgerRig;
beforeEach(async () => {
  rig = await ledgerRig();
});
afterEach(() => rig.close());

async function list(query = '') {
  const { status, body } = await rig.admin('GET', `requests${query}`);
  expect(status).toBe(200);
  return LedgerPageSchema.parse(body);
}

const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);

const COMPLETE: LedgerEntry = {
  id: 'entry_complete',
  type: 'task',
  at: LEDGER_NOW,
  requestId: 'req_0123456789abcdef0123456789abcdef',
  taskId: 'video_1',
  key: 'bob',
  user: 'u_1',
  labels: { team: 'search' },
  endpoint: 'POST /v1/videos',
  protocol: 'videos',
  model: 'clip',
  upstream: 'vendor',
  upstreamModel: 'clip-2',
  attempts: [{ upstream: 'vendor', upstreamModel: 'clip-2', result: 'served', ms: 12 }],
  isRelayed: false,
  status: 'failed',
  errorCode: 'content_policy',
  durationMs: 60_000,
  firstEventMs: 5,
  queueMs: 1_000,
  runMs: 59_000,
  usage: {
    inputTokens: 1,
    cachedTokens: 2,
    cacheWriteTokens: 3,
    cacheWrite1hTokens: 4,
    outputTokens: 5,
    reasoningTokens: 6,
    audioInputTokens: 7,
    audioOutputTokens: 8,
    imageInputTokens: 9,
    imageOutputTokens: 14,
    serviceTier: 'flex',
    audioSeconds: 15.5,
    characters: 10,
    searches: 11,
    images: 12,
    imageSize: '1024x1024',
    imageQuality: 'high',
    videoSeconds: 13.5,
    resolution: '720p',
    hasAudio: true,
  },
  costNanos: 1_500_000_001,
  lines: [{ unit: 'video_seconds', quantity: 13.5, nanos: 1_500_000_001 }],
  priceSource: { from: 'catalog', catalog: 'media', date: '2026-11-01', url: 'https://vendor.test/prices' },
};

describe('GET /admin/v1/requests', () => {
  it('lists entries of all keys, newest first, page by page', async () => {
    await rig.addEntries({}, { key: 'bob' }, {}, {}, {});
    const ids: string[] = [];
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?limit=2${next && `&after=${next}`}`);
      ids.push(...page.data.map(({ id }) => id));
      expect(page.has_more).toBe(page.next !== undefined);
      next = page.next;
    }
    expect(ids).toEqual(['entry_1', 'entry_2', 'entry_3', 'entry_4', 'entry_5']);
  });

  it('shows every field of an entry', async () => {
    await rig.store.add([COMPLETE]);
    const { data } = await list();
    const shown = {
      object: 'ledger.entry',
      id: 'entry_complete',
      type: 'task',
      at_ms: LEDGER_NOW,
      request_id: COMPLETE.requestId,
      task_id: 'video_1',
      key: 'bob',
      user: 'u_1',
      labels: { team: 'search' },
      endpoint: 'POST /v1/videos',
      protocol: 'videos',
      model: 'clip',
      upstream: 'vendor',
      upstream_model: 'clip-2',
      attempts: [{ upstream: 'vendor', upstream_model: 'clip-2', result: 'served', ms: 12 }],
      relayed: false,
      status: 'failed',
      error_code: 'content_policy',
      duration_ms: 60_000,
      first_event_ms: 5,
      queue_ms: 1_000,
      run_ms: 59_000,
      usage: {
        input_tokens: 1,
        cached_tokens: 2,
        cache_write_tokens: 3,
        cache_write_1h_tokens: 4,
        output_tokens: 5,
        reasoning_tokens: 6,
        audio_input_tokens: 7,
        audio_output_tokens: 8,
        image_input_tokens: 9,
        image_output_tokens: 14,
        service_tier: 'flex',
        audio_seconds: 15.5,
        characters: 10,
        searches: 11,
        images: 12,
        image_size: '1024x1024',
        image_quality: 'high',
        video_seconds: 13.5,
        resolution: '720p',
        has_audio: true,
      },
      cost_usd: 1.500_000_001,
      unpriced: false,
      price_lines: [{ unit: 'video_seconds', quantity: 13.5, cost_usd: 1.500_000_001 }],
      price_source: { from: 'catalog', catalog: 'media', date: '2026-11-01', url: 'https://vendor.test/prices' },
    };
    expect(data).toEqual([shown]);
    // The schema describes all fields.
    expect((await rig.admin('GET', 'requests')).body['data']).toEqual([shown]);
  });

  it('shows an entry with an unknown price as unpriced, unless it created a task', async () => {
    const { costNanos: _cost, lines: _lines, priceSource: _source, taskId, ...entry } = COMPLETE;
    await rig.store.add([
      { ...entry, id: 'c' },
      { ...entry, id: 'b', usage: undefined },
      { ...entry, id: 'a', type: 'request', usage: undefined, taskId },
    ]);
    const { data } = await list();
    expect(data.map(({ id, unpriced, cost_usd: cost }) => [id, unpriced, cost])).toEqual([
      ['c', true, undefined],
      ['b', true, undefined],
      ['a', false, undefined],
    ]);
  });

  it.each([
    ['id=entry_complete', ['entry_complete']],
    ['id=video_1', ['entry_complete']],
    ['id=req_0123456789abcdef0123456789abcdef', ['entry_complete']],
    ['key=bob', ['entry_complete']],
    ['model=clip', ['entry_complete']],
    ['upstream=vendor', ['entry_complete']],
    ['user=u_1', ['entry_complete']],
    ['label=team%3Dsearch', ['entry_complete']],
    ['type=task', ['entry_complete']],
    ['status=failed', ['entry_complete']],
    ['status=error', ['entry_complete']],
    ['status=ok', ['entry_1']],
    ['status=200', ['entry_1']],
    ['min_cost_usd=1.500000001', ['entry_complete']],
    ['min_cost_usd=1.500000002', []],
    ['min_duration_ms=60000', ['entry_complete']],
    ['start_time=2026-11-23T08:30:00Z', ['entry_complete']],
    ['end_time=2026-11-23T08:30:00Z', ['entry_1']],
    ['start_time=2026-11-24', []],
    ['type=task&key=alice', []],
  ])('filters by %s', async (query, ids) => {
    await rig.store.add([COMPLETE]);
    await rig.addEntries({});
    expect(await idsOf(`?${query}`)).toEqual(ids);
  });
});

describe('GET /admin/v1/requests/{id}', () => {
  it('finds an entry by its id, its request id, and its task id', async () => {
    const created = { requestId: COMPLETE.requestId ?? '', taskId: 'video_1', key: 'bob', at: LEDGER_NOW + 5 };
    await rig.store.add([COMPLETE]);
    await rig.addEntries({ id: 'entry_of_request', ...created });
    // Usage that the vendor reported later.
    await rig.addEntries({ id: 'late_resp_1', ...created, taskId: undefined, at: LEDGER_NOW + 9 });
    const found = async (id: string) => LedgerEntrySchema.parse((await rig.admin('GET', `requests/${id}`)).body).id;
    expect(await found('entry_complete')).toBe('entry_complete');
    expect(await found('video_1')).toBe('entry_complete');
    expect(await found(COMPLETE.requestId ?? '')).toBe('entry_of_request');
  });
});
