import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LedgerEntry, openLedgerStore } from '@sluice/ledger';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** Each command runs in a separate process, which is slow on a busy machine. */
const LONG = 120_000;
const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
const PERIOD = ['--since', '2026-11-18', '--until', '2026-11-21'];

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sluice-usage-'));
  await configure({});
});
afterEach(() => rm(cwd, { recursive: true }));

async function configure(ledger: object): Promise<void> {
  await writeFile(
    join(cwd, 'sluice.yaml'),
    JSON.stringify({ keys: [{ name: 'local', key: 'sk-of-the-file' }], ledger }),
  );
}

function usage(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', SLUICE_DATA_DIR: join(cwd, 'data') };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=source', MAIN, 'usage', ...args],
      { cwd, env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

async function print(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await usage(...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

async function addEntries(...entries: Partial<LedgerEntry>[]): Promise<void> {
  await mkdir(join(cwd, 'data'), { recursive: true });
  const store = openLedgerStore({ file: join(cwd, 'data', 'ledger.sqlite') });
  await store.add(entries.map((fields, at) => entryOf(at, fields)));
  await store.close();
}

function entryOf(at: number, fields: Partial<LedgerEntry>): LedgerEntry {
  return {
    id: `entry_${at}`,
    type: 'request',
    at: NOON,
    key: 'web',
    endpoint: 'POST /v1/chat/completions',
    model: 'gpt-x',
    status: 200,
    durationMs: 10,
    usage: { inputTokens: 1_000, outputTokens: 5 },
    costNanos: 2_000_000_000,
    ...fields,
  };
}

describe('sluice usage', { timeout: LONG }, () => {
  it('shows a table with trends, a total, and the number of unknown prices', async () => {
    await addEntries(
      { model: 'cheap', costNanos: 1_250 },
      {},
      { at: NOON - DAY_MS, costNanos: 1_000_000_000 },
      {
        model: 'cheap',
        usage: { images: 1 },
        costNanos: undefined,
      },
      { model: 'own', costNanos: undefined },
      { model: 'free', costNanos: 0 },
    );
    expect(await print(...PERIOD)).toBe(
      [
        '  2026-11-18 00:00 to 2026-11-21 00:00 UTC',
        '',
        '  MODEL  REQUESTS  UNPRICED  INPUT TOKENS  OUTPUT TOKENS  COST USD                COST USD BY DAY',
        '  gpt-x  2         0         2,000         10             $3.00                   ▁▅█',
        '  cheap  2         1         1,000         5              $0.00000125 + unpriced  ▁▁█',
        '  free   1         0         1,000         5              $0.00                   ▁▁▁',
        '  own    1         1         1,000         5              unpriced                ▁▁▁',
        '  total  6         2         5,000         25             $3.00000125 + unpriced',
        '',
        '  The cost does not include requests and tasks with an unknown price: 2.',
        '',
      ].join('\n'),
    );
  });

  it('shows bars for days, hours for short periods, and only matching entries', async () => {
    await addEntries({}, { at: NOON - DAY_MS, costNanos: 1_000_000_000 }, { key: 'other' });
    const days = await print(...PERIOD, '--group-by', 'day', '--key', 'web', '--metric', 'cost');
    expect(days).toMatch(/^ {2}2026-11-19 .* {2}█{10}$/m);
    expect(days).toMatch(/^ {2}2026-11-20 .* {2}█{20}$/m);
    const hours = await print('--since', '2026-11-20', '--until', '2026-11-21', '--group-by', 'key,model');
    expect(hours).toMatch(/COST USD BY HOUR$/m);
    expect(hours).toMatch(new RegExp(`^ {2}web .* ${'▁'.repeat(12)}█${'▁'.repeat(11)}$`, 'm'));
    const limited = await print(...PERIOD, '--group-by', 'key', '--limit', '1');
    expect(limited).toContain('  More rows: 1. Show them with --limit.');
  });

  it('shows the period and its days in the time zone', async () => {
    await addEntries({ at: Date.UTC(2026, 10, 18, 23, 30) });
    const [period, , header, row] = (await print(...PERIOD, '--time-zone', 'Europe/Berlin')).split('\n');
    expect(period).toBe('  2026-11-18 00:00 to 2026-11-21 00:00 Europe/Berlin');
    expect(header).toMatch(/ {2}COST USD BY DAY$/);
    expect(row).toMatch(/ {2}▁█▁$/);
  });

  it('prints the JSON and CSV of the usage endpoint', async () => {
    await addEntries({}, { model: '=x' });
    const json: unknown = JSON.parse(await print(...PERIOD, '--json', '--group-by', 'model', '--limit', '1'));
    expect(json).toMatchObject({
      object: 'list',
      data: [{ model: '=x', requests: 1, cost_usd: 2, duration_ms: 10 }],
      has_more: true,
      next: expect.any(String),
    });
    expect(await print(...PERIOD, '--csv', '--group-by', 'model', '--metric', 'cost')).toBe(
      "model,requests,unpriced,input_tokens,output_tokens,cost_usd\r\n'=x,1,0,1000,5,2\r\ngpt-x,1,0,1000,5,2\r\n",
    );
  });

  it('says that the ledger is empty, and does not create it', async () => {
    expect(await print()).toBe(
      '  The ledger is empty: ./data/ledger.sqlite does not exist yet. A worker creates it.\n',
    );
    expect(JSON.parse(await print('--json'))).toMatchObject({ data: [], has_more: false });
    await expect(access(join(cwd, 'data'))).rejects.toThrow('ENOENT');
    await addEntries({});
    expect(await print('--since', '2026-11-01', '--until', '2026-11-02')).toBe(
      '  2026-11-01 00:00 to 2026-11-02 00:00 UTC: no usage.\n',
    );
  });

  it('reports incorrect usage, a disabled ledger, and a store that cannot be read', async () => {
    expect(await print('--help')).toContain('Usage: sluice usage [options]');
    const line = await usage('--since', 'soon');
    expect([line.code, line.stderr]).toEqual([2, expect.stringMatching(/^✗ --since must be .*\n.*--help.*\n$/)]);
    await mkdir(join(cwd, 'data'));
    await writeFile(join(cwd, 'data', 'ledger.sqlite'), 'This is not a database.'.repeat(100));
    const broken = await usage();
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(/^✗ The usage ledger \.\/data\/ledger\.sqlite cannot be read: .*\.\n$/),
    ]);
    await configure({ url: 'postgres://user:hunter2@127.0.0.1:1/x' });
    const away = await usage();
    expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
    expect(away.stderr).not.toContain('hunter2');
    await configure({ enabled: false });
    const disabled = await usage();
    expect([disabled.code, disabled.stderr]).toEqual([1, expect.stringMatching(/^✗ The usage ledger is disabled\. /)]);
  });
});
