import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_KEY, adminAuth } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { LEDGER_NOW, type LedgerRig, ledgerRig } from '../../test/ledger/ledger-rig.ts';
import { ENDPOINTS } from '@sluice/protocols';
import { ledgerRouteOf } from '../ledger/ledger-route.ts';
import { USAGE_ENDPOINTS } from './endpoints.ts';
import { COSTS, USAGE_KINDS } from './organization-kinds.ts';

const DAY = 86_400;
const TODAY = Date.parse('2026-11-23T00:00:00Z') / 1_000;

let rig: LedgerRig;
beforeEach(async () => {
  rig = await ledgerRig();
});
afterEach(() => rig.close());

/** OpenAI's SDK with the admin key. */
function sdk(adminAPIKey = ADMIN_KEY) {
  return new OpenAI({ apiKey: 'unused', adminAPIKey, baseURL: `${rig.origin}/v1`, maxRetries: 0 }).admin.organization
    .usage;
}

const result = (fields: object) => expect.objectContaining(fields);
const resultsOf = ({ data }: { data: { results: unknown[] }[] }) => data.map(({ results }) => results);

describe("OpenAI's SDK", () => {
  it('reads the usage of text in daily buckets', async () => {
    await rig.addEntries(
      { usage: { inputTokens: 10, cachedTokens: 4, cacheWriteTokens: 1, outputTokens: 5, audioInputTokens: 2 } },
      { endpoint: 'POST /v1/messages', at: LEDGER_NOW - 2 * DAY * 1_000 },
      { endpoint: 'POST /v1/embeddings' },
    );
    const page = await sdk().completions({ start_time: TODAY - 2 * DAY + 3_600 });
    expect(page).toEqual({
      object: 'page',
      data: [-2, -1, 0].map((day) => ({
        object: 'bucket',
        start_time: TODAY + day * DAY,
        end_time: TODAY + (day + 1) * DAY,
        results: expect.any(Array),
      })),
      has_more: false,
      next_page: null,
    });
    expect(page.data.map(({ results }) => results)).toEqual([
      [result({ input_tokens: 10, output_tokens: 5, input_cached_tokens: 4 })],
      [],
      [
        {
          object: 'organization.usage.completions.result',
          input_tokens: 10,
          output_tokens: 5,
          input_cached_tokens: 4,
          input_cache_write_tokens: 1,
          input_uncached_tokens: 5,
          input_audio_tokens: 2,
          output_audio_tokens: 0,
          num_model_requests: 1,
          project_id: null,
          user_id: null,
          api_key_id: null,
          model: null,
          batch: null,
          service_tier: null,
          api_source: null,
        },
      ],
    ]);
  });

  it('groups and filters by model, key, and user', async () => {
    await rig.addEntries(
      { model: 'a', user: 'u_1' },
      { model: 'a', user: 'u_2' },
      { model: 'b', key: 'bob' },
      { model: 'c' },
    );
    const start_time = TODAY;
    const grouped = await sdk().completions({ start_time, group_by: ['model', 'api_key_id', 'user_id', 'project_id'] });
    expect(grouped.data[0]?.results).toEqual([
      result({ model: 'a', api_key_id: 'alice', user_id: 'u_1', project_id: null, num_model_requests: 1 }),
      result({ model: 'a', api_key_id: 'alice', user_id: 'u_2' }),
      result({ model: 'b', api_key_id: 'bob', user_id: null }),
      result({ model: 'c' }),
    ]);
    const countOf = async (filter: object) => {
      const { data } = await sdk().completions({ start_time, ...filter });
      return data[0]?.results.map((one) => ('num_model_requests' in one ? one.num_model_requests : undefined));
    };
    expect(await countOf({ models: ['a', 'b'] })).toEqual([3]);
    expect(await countOf({ api_key_ids: ['bob'] })).toEqual([1]);
    expect(await countOf({ user_ids: ['u_1', 'u_2'] })).toEqual([2]);
    expect(await countOf({ models: ['unknown'] })).toEqual([]);
  });

  it('pages through hourly buckets', async () => {
    await rig.addEntries({}, { at: LEDGER_NOW - 3 * 3_600_000 });
    const query = { start_time: TODAY + 5 * 3_600, bucket_width: '1h', limit: 3 } as const;
    const first = await sdk().completions(query);
    expect(first.data.map(({ results }) => results.length)).toEqual([1, 0, 0]);
    expect(first.has_more).toBe(true);
    const second = await sdk().completions({ ...query, page: first.next_page ?? '' });
    expect(second.data.map(({ start_time: start, results }) => [start, results.length])).toEqual([
      [TODAY + 8 * 3_600, 1],
    ]);
    expect(second).toMatchObject({ has_more: false, next_page: null });
  });

  it('reads embeddings, moderations, images, audio, and web searches', async () => {
    await rig.addEntries(
      { endpoint: 'POST /v1/embeddings', usage: { inputTokens: 7 } },
      { endpoint: 'POST /v1/moderations', usage: { inputTokens: 3 } },
      { endpoint: 'POST /v1/images/generations', usage: { images: 2 } },
      { endpoint: 'POST /v1/audio/speech', usage: { characters: 90 } },
      { endpoint: 'POST /v1/audio/transcriptions', usage: { audioSeconds: 7.6 } },
      { endpoint: 'POST /v1/responses', usage: { searches: 4 } },
    );
    const query = { start_time: TODAY };
    const one = { num_model_requests: 1 };
    expect(resultsOf(await sdk().embeddings(query))).toEqual([[result({ input_tokens: 7, ...one })]]);
    expect(resultsOf(await sdk().moderations(query))).toEqual([[result({ input_tokens: 3, ...one })]]);
    expect(resultsOf(await sdk().images(query))).toEqual([[result({ images: 2, size: null, ...one })]]);
    expect(resultsOf(await sdk().audioSpeeches(query))).toEqual([[result({ characters: 90, ...one })]]);
    expect(resultsOf(await sdk().audioTranscriptions(query))).toEqual([[result({ seconds: 8, ...one })]]);
    expect(resultsOf(await sdk().webSearchCalls(query))).toEqual([[result({ num_requests: 4 })]]);
    expect(resultsOf(await sdk().vectorStores(query))).toEqual([[]]);
    expect(resultsOf(await sdk().fileSearchCalls(query))).toEqual([[]]);
    expect(resultsOf(await sdk().codeInterpreterSessions(query))).toEqual([[]]);
  });

  it('reads costs, with models as line items', async () => {
    await rig.addEntries(
      { model: 'a', costNanos: 1 },
      { model: 'b', costNanos: 2_500_000_000, type: 'task', endpoint: 'POST /v1/videos' },
    );
    const total = await sdk().costs({ start_time: TODAY });
    expect(total.data[0]?.results).toEqual([
      {
        object: 'organization.costs.result',
        amount: { value: 2.500_000_001, currency: 'usd' },
        quantity: null,
        project_id: null,
        user_id: null,
        line_item: null,
        api_key_id: null,
        api_source: null,
      },
    ]);
    const items = await sdk().costs({ start_time: TODAY, group_by: ['line_item'], line_items: ['b'] });
    expect(items.data[0]?.results).toEqual([result({ line_item: 'b', amount: { value: 2.5, currency: 'usd' } })]);
  });

  it('shows only the usage of the key itself to an API key', async () => {
    await rig.addEntries({}, { key: 'bob' }, { key: 'bob' });
    const { data } = await sdk(KEYS.bob).costs({ start_time: TODAY, group_by: ['api_key_id'] });
    expect(data[0]?.results).toEqual([result({ api_key_id: 'bob' })]);
    await expect(sdk(KEYS.bob).costs({ start_time: TODAY, api_key_ids: ['alice'] })).rejects.toMatchObject({
      status: 400,
      param: 'api_key_ids',
    });
  });
});

describe('the reports', () => {
  it.each(USAGE_ENDPOINTS.filter(({ path }) => path.includes('organization')).map((one) => [one.path, one] as const))(
    'returns what the schema of %s describes',
    async (path, { responses }) => {
      await rig.addEntries(...USAGE_KINDS.flatMap(({ endpoints = [] }) => endpoints.map((endpoint) => ({ endpoint }))));
      const response = await rig.call(`${path}?start_time=${TODAY}&group_by=project_id`, { headers: adminAuth });
      const schema = responses[200]?.content?.['application/json'];
      if (schema === undefined || schema === 'binary') throw new Error('The report has no schema.');
      expect(schema.parse(await response.json())).toMatchObject({ object: 'page', has_more: false });
    },
  );

  it('counts endpoints as entries name them, each in at most one report', () => {
    const counted = USAGE_KINDS.flatMap(({ endpoints = [] }) => endpoints);
    expect(counted.length).toBeGreaterThan(15);
    expect(counted).toEqual([...new Set(counted)]);
    expect(COSTS.endpoints).toBeUndefined();
    const written = new Set(ENDPOINTS.map((endpoint) => ledgerRouteOf(endpoint)?.endpoint));
    expect(counted.filter((endpoint) => !written.has(endpoint))).toEqual([]);
  });
});
