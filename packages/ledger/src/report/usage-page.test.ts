import { describe, expect, it } from 'vitest';
import type { UsageQuery, UsageRow, UsageSums } from '../store/ledger-store.ts';
import { dollarsOf, dollarsText } from './dollars.ts';
import { parseUsageReport } from './parse-usage-report.ts';
import { usageCsv } from './usage-csv.ts';
import { readUsagePage, showUsagePage } from './usage-page.ts';

const NONE: UsageSums = {
  requests: 0,
  tasks: 0,
  errors: 0,
  unpriced: 0,
  costNanos: 0,
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  audioMs: 0,
  characters: 0,
  searches: 0,
  images: 0,
  videoMs: 0,
  durationMs: 0,
};
const row = (group: UsageRow['group'], sums: Partial<UsageSums> = {}): UsageRow => ({ ...NONE, ...sums, group });
const report = (fields: object) => parseUsageReport(fields, Date.parse('2026-11-23T08:30:00Z'));

describe('readUsagePage', () => {
  it('reads each page with one query, and continues after its last group', async () => {
    const rows = ['a', 'b', 'c'].map((model) => row({ model }));
    const queries: UsageQuery[] = [];
    const usage = async (query: UsageQuery): Promise<UsageRow[]> => {
      queries.push(query);
      return rows.filter(({ group }) => (group.model ?? '') > (query.after?.model ?? '')).slice(0, query.limit);
    };
    const first = await readUsagePage({ usage }, report({ group_by: 'model', limit: '2' }));
    expect(first.rows.map(({ group }) => group.model)).toEqual(['a', 'b']);
    const second = await readUsagePage({ usage }, report({ group_by: 'model', limit: '2', after: first.next }));
    expect(second).toEqual({ rows: [rows[2]] });
    expect(queries).toHaveLength(2);
  });
});

describe('showUsagePage', () => {
  it('shows the groups, the base fields, and the fields of the metrics', () => {
    const rows = [
      row({ model: 'gpt', day: '2026-11-22' }, { requests: 2, unpriced: 1, inputTokens: 9, costNanos: 1, images: 3 }),
    ];
    const shown = showUsagePage({ rows, next: 'x' }, report({ group_by: 'model,day', metric: 'cost,images' }));
    expect(shown).toEqual({
      object: 'list',
      data: [
        {
          model: 'gpt',
          day: '2026-11-22',
          requests: 2,
          unpriced: 1,
          input_tokens: 9,
          output_tokens: 0,
          images: 3,
          cost_usd: 1e-9,
        },
      ],
      has_more: true,
      next: 'x',
      start_time: Date.parse('2026-11-17T00:00:00Z') / 1_000,
      end_time: Date.parse('2026-11-23T09:00:00Z') / 1_000,
    });
  });

  it('shows null for a dimension that entries lack', () => {
    const shown = showUsagePage({ rows: [row({ user: '' })] }, report({ group_by: 'user' }));
    expect(shown.data).toMatchObject([{ user: null }]);
  });
});

describe('usageCsv', () => {
  it('has a header, exact amounts, and quoted cells', () => {
    const rows = [row({ user: 'a,"b"' }, { requests: 1, costNanos: 1_250 })];
    expect(usageCsv({ rows }, report({ group_by: 'user', metric: 'cost' }))).toBe(
      'user,requests,unpriced,input_tokens,output_tokens,cost_usd\r\n"a,""b""",1,0,0,0,0.00000125\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('makes the formula %j text', (user) => {
    const csv = usageCsv({ rows: [row({ user })] }, report({ group_by: 'user', metric: 'cost' }));
    expect(csv.split('\r\n', 2).at(1) ?? csv).toMatch(/^"?'/);
  });
});

describe('dollars', () => {
  it.each([
    [0, '0'],
    [1, '0.000000001'],
    [1_250, '0.00000125'],
    [3_000_000_000, '3'],
    [8_000_000_123_456_789, '8000000.123456789'],
  ])('shows %i nano-dollars exactly', (nanos, text) => {
    expect(dollarsText(nanos)).toBe(text);
    expect(Number(text)).toBe(dollarsOf(nanos));
    expect(Math.round(Number(JSON.stringify(dollarsOf(nanos))) * 1e9)).toBe(nanos);
  });
});
