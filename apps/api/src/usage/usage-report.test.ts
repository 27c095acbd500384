import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminAuth } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { LEDGER_NOW, type LedgerRig, ledgerRig } from '../../test/ledger/ledger-rig.ts';
import { UsageListSchema } from './usage-response.ts';

const DAY_MS = 86_400_000;

let rig: LedgerRig;
beforeEach(async () => {
  rig = await ledgerRig();
});
afterEach(() => rig.close());

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

async function report(query: string, headers: Record<string, string> = adminAuth) {
  const response = await rig.call(`/v1/usage${query}`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return UsageListSchema.strict().parse(await response.json());
}

async function keysIn(headers: Record<string, string>, query = '') {
  return (await report(`?group_by=key${query}`, headers)).data.map(({ key, requests }) => [key, requests]);
}

/** Returns the first row of a report in India's time zone. */
async function inIndia(query: string) {
  return (await report(`?metric=cost&time_zone=Asia/Kolkata&${query}`)).data[0];
}

describe('GET /v1/usage', () => {
  it('sums the requests of a key by two dimensions', async () => {
    await rig.addEntries(
      { model: 'a' },
      { model: 'a', costNanos: 3 },
      { model: 'b', at: LEDGER_NOW - DAY_MS },
      { key: 'bob' },
    );
    expect(await report('?metric=cost&group_by=model,day', withKey(KEYS.alice))).toEqual({
      object: 'list',
      data: [
        {
          model: 'a',
          day: '2026-11-23',
          requests: 2,
          unpriced: 0,
          input_tokens: 20,
          output_tokens: 10,
          cost_usd: 0.000_001_253,
        },
        {
          model: 'b',
          day: '2026-11-22',
          requests: 1,
          unpriced: 0,
          input_tokens: 10,
          output_tokens: 5,
          cost_usd: 0.000_001_25,
        },
      ],
      has_more: false,
      start_time: Date.parse('2026-11-17T00:00:00Z') / 1_000,
      end_time: Date.parse('2026-11-23T09:00:00Z') / 1_000,
    });
  });

  it('sums by two dimensions and a unit of time', async () => {
    await rig.addEntries(
      { model: 'a' },
      { key: 'bob', model: 'a' },
      { key: 'bob', model: 'a', at: LEDGER_NOW - DAY_MS },
    );
    const { data } = await report('?metric=requests&group_by=key,model,day');
    expect(data.map(({ key, model, day, requests }) => [key, model, day, requests])).toEqual([
      ['alice', 'a', '2026-11-23', 1],
      ['bob', 'a', '2026-11-22', 1],
      ['bob', 'a', '2026-11-23', 1],
    ]);
  });

  it('returns totals of all metrics by default', async () => {
    await rig.addEntries(
      { usage: { inputTokens: 8, audioInputTokens: 2, characters: 7, searches: 1, images: 3 } },
      { type: 'task', status: 'completed', usage: { videoSeconds: 2.5 }, durationMs: 50 },
      { status: 500, usage: {}, costNanos: 0 },
    );
    await rig.store.add([
      // The price of this entry is unknown.
      {
        id: 'x',
        type: 'request',
        at: LEDGER_NOW,
        key: 'bob',
        endpoint: 'e',
        status: 200,
        durationMs: 1,
        usage: { inputTokens: 1 },
      },
    ]);
    const { data } = await report('');
    expect(data).toEqual([
      {
        requests: 3,
        tasks: 1,
        errors: 1,
        unpriced: 1,
        input_tokens: 9,
        cached_tokens: 0,
        cache_write_tokens: 0,
        output_tokens: 0,
        reasoning_tokens: 0,
        audio_input_tokens: 2,
        audio_output_tokens: 0,
        audio_seconds: 0,
        characters: 7,
        searches: 1,
        images: 3,
        video_seconds: 2.5,
        duration_ms: 551,
        cost_usd: 0.000_002_5,
      },
    ]);
  });

  it('shows the usage of one key to that key, and of all keys to the admin key', async () => {
    await rig.addEntries(
      { key: 'alice' },
      { key: 'bob' },
      { key: 'bob', user: 'u_1', labels: { team: 'a', app: 'b' } },
    );
    expect(await keysIn(withKey(KEYS.alice))).toEqual([['alice', 1]]);
    expect(await keysIn(withKey(KEYS.bob), '&key=bob')).toEqual([['bob', 2]]);
    expect(await keysIn({ 'x-api-key': KEYS.carol })).toEqual([]);
    expect(await keysIn(adminAuth)).toEqual([
      ['alice', 1],
      ['bob', 2],
    ]);
  });

  it.each([
    ['key=bob', 1],
    ['model=b&model=c', 2],
    ['model[]=b&model[]=c', 2],
    ['upstream=other', 1],
    ['endpoint=POST%20/v1/embeddings', 1],
    ['user=u_1', 1],
    ['label=team%3Dsearch', 1],
    ['label=team%3Dsearch&model=gpt-x', 0],
  ])('filters by %s', async (query, count) => {
    await rig.addEntries(
      { model: 'b', key: 'bob' },
      { model: 'c', upstream: 'other' },
      { endpoint: 'POST /v1/embeddings', user: 'u_1' },
      { model: 'd', labels: { team: 'search' } },
    );
    const { data } = await report(`?metric=requests&${query}`);
    expect(data.map(({ requests }) => requests)).toEqual(count === 0 ? [] : [count]);
  });

  it('uses the days and hours of the time zone', async () => {
    await rig.addEntries({ at: Date.parse('2026-11-22T19:00:00Z') });
    expect(await inIndia('group_by=day')).toMatchObject({ day: '2026-11-23' });
    expect(await inIndia('group_by=hour')).toMatchObject({ hour: expect.stringContaining('+05:30') });
    expect(await inIndia('group_by=day&start_time=2026-11-23&end_time=2026-11-24')).toMatchObject({ requests: 1 });
    expect(await inIndia('end_time=2026-11-23')).toBeUndefined();
  });

  it('counts exact parts of hours', async () => {
    const noon = Date.parse('2026-11-20T12:00:00Z');
    await rig.addEntries({ at: noon + 600_000 }, { at: noon + 1_200_000 }, { at: noon + 1_800_000 });
    const seconds = (ms: number) => (noon + ms) / 1_000;
    const { data } = await report(`?start_time=${seconds(600_000)}&end_time=${seconds(1_800_000)}`);
    expect(data).toMatchObject([{ requests: 2 }]);
  });

  it('pages through the rows, with a link to the next page', async () => {
    await rig.addEntries({ user: 'c' }, { user: 'a' }, { user: 'd' }, { user: 'b' }, {});
    const users: unknown[] = [];
    let query: string | undefined = '?group_by=user,day&limit=2&metric=cost';
    while (query !== undefined) {
      const response = await rig.call(`/v1/usage${query}`, { headers: adminAuth });
      const page = UsageListSchema.parse(await response.json());
      users.push(...page.data.map(({ user }) => user));
      expect(page.has_more).toBe(page.next !== undefined);
      const link = response.headers.get('link') ?? undefined;
      expect(link !== undefined).toBe(page.has_more);
      query = /^<(.*)>; rel="next"$/.exec(link ?? '')?.[1];
      if (query !== undefined) expect(new URLSearchParams(query).get('after')).toBe(page.next);
    }
    expect(users).toEqual([null, 'a', 'b', 'c', 'd']);
  });

  it('returns CSV if requested, with formulas as text', async () => {
    await rig.addEntries({ user: '=HYPERLINK("http://evil.test","x")' }, { user: 'a,b' });
    const query = '?group_by=user&metric=cost';
    const expected = [
      'user,requests,unpriced,input_tokens,output_tokens,cost_usd',
      `"'=HYPERLINK(""http://evil.test"",""x"")",1,0,10,5,0.00000125`,
      '"a,b",1,0,10,5,0.00000125',
      '',
    ].join('\r\n');
    for (const [format, accept] of [
      ['&format=csv', '*/*'],
      ['', 'text/csv'],
    ]) {
      const headers = { ...adminAuth, accept: accept ?? '' };
      const response = await rig.call(`/v1/usage${query}${format}`, { headers });
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(await response.text()).toBe(expected);
    }
    const json = await report(`${query}&format=json`, { ...adminAuth, accept: 'text/csv' });
    expect(json.data).toHaveLength(2);
  });

  it('returns an empty list without entries, and no body for HEAD', async () => {
    expect((await report('')).data).toEqual([]);
    const head = await rig.call('/v1/usage', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
