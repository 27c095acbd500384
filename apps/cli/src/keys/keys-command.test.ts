import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveRedisServer, startRedis } from '@sluice/embedded-redis';
import { createLimiter } from '@sluice/limits';
import { openRedis, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const API = fileURLToPath(new URL('../../../api/src/main.ts', import.meta.url));
const PATIENT = { timeout: 60_000 };
/** Each command runs in a separate process, which is slow on a busy machine. */
const LONG = 240_000;
const CONFIGURED = 'sk-of-the-file';

let cwd: string;
let redisUrl: string;
let prefix: string;
let children: ChildProcess[];
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
  ({ redisUrl, prefix } = testRedis());
  children = [];
  await configure(redisUrl);
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await rm(cwd, { recursive: true });
});

async function configure(url: string, more = {}): Promise<void> {
  const file = { redis: { url, prefix }, keys: [{ name: 'local', key: CONFIGURED, models: ['*'] }], ...more };
  await writeFile(join(cwd, 'sluice.yaml'), JSON.stringify(file));
}

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

function keys(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Run> {
  const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...more };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=source', MAIN, 'keys', ...args],
      { cwd, env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await keys([...args, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>; // The cast is safe because the command prints a JSON object.
}

/** Starts an API with the test's configuration and returns its URL. */
async function startApi(): Promise<string> {
  const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', SLUICE_PORT: '0', SLUICE_LOG_LEVEL: 'silent' };
  const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc'];
  const child = spawn(process.execPath, ['--conditions=source', API], { cwd, env, stdio });
  children.push(child);
  // The cast is safe because the process sends only this message.
  const [message] = (await once(child, 'message')) as [{ url: string }];
  return message.url;
}

describe('sluice keys', () => {
  it('creates, rotates, and revokes a key, which a running API follows', { timeout: LONG }, async () => {
    const url = await startApi();
    const follows = (key: unknown, status: number) =>
      expect
        .poll(async () => {
          const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${String(key)}` } });
          return response.status;
        }, PATIENT)
        .toBe(status);

    const { key } = await json('create', 'app');
    await follows(key, 200);
    const rotated = await json('rotate', 'app', '--grace', '0');
    await follows(rotated['key'], 200);
    await follows(key, 401);
    expect(await json('revoke', 'app')).toMatchObject({ status: 'revoked' });
    await follows(rotated['key'], 401);
    await follows(CONFIGURED, 200);
  });

  it('changes only the named options', { timeout: LONG }, async () => {
    const created = await json(
      'create',
      'app',
      '--models',
      'my-video, sora-*',
      '--limit-rpm',
      '60',
      '--expires',
      '30d',
    );
    expect(created).toMatchObject({
      name: 'app',
      status: 'active',
      models: ['my-video', 'sora-*'],
      unknown_models: ['my-video'],
      limits: { rpm: 60 },
      key: expect.stringMatching(/^sk-sluice-/) as string,
    });
    expect(Number(created['expires_at'])).toBeGreaterThan(Date.now() / 1_000 + 29 * 86_400);
    const options = ['--limit-tpm=9', '--limit-rpm=none', '--strict', '--budget=5', '--expires=never'];
    const updated = await json('update', String(created['id']), ...options);
    expect(updated).toMatchObject({ strict: true, limits: { tpm: 9 }, budget: { usd: 5, period: 'month' } });
    expect(updated['limits']).not.toHaveProperty('rpm');
    expect(updated).not.toHaveProperty('expires_at');
    const { budget: _budget, models: _models, unknown_models: _unknown, ...free } = updated;
    expect(await json('update', 'app', '--models', 'all', '--budget', 'none')).toEqual(free);
    const unbudgeted = await json('update', 'app', '--models', 'sora-*');
    expect(unbudgeted).toEqual({ ...free, models: ['sora-*'] });
    await json('update', 'app', '--budget', '5');
    expect(await json('update', 'app', '--budget', 'none', '--no-strict')).toEqual({ ...unbudgeted, strict: false });
  });

  it('prints tables for people, with the secret only once', { timeout: LONG }, async () => {
    const created = await keys([
      'create',
      'app',
      '--models',
      'my-video',
      '--expires',
      '2099-12-31',
      '--limit-open-tasks',
      '3',
    ]);
    expect(created.code).toBe(0);
    const secret = /sk-sluice-\S+/.exec(created.stdout)?.[0] ?? '';
    expect(created.stdout).toMatch(/limits +open_tasks 3/);
    expect(created.stdout).toMatch(/expires_at +2099-12-31 00:00 UTC/);
    const rotated = await keys(['rotate', 'app', '--grace', '1h']);
    expect(rotated.stdout).toMatch(/former_secrets +last4 \S+, ends_at \d{4}-/);
    const listed = await keys(['list']);
    expect(listed.stdout).toMatch(/NAME +ID +STATUS +SECRET +EXPIRES +BUDGET +SPENT +REMAINING +MODELS/);
    expect(listed.stdout).toMatch(/local +\(configuration\) +active +never +none +\*/);
    expect(listed.stdout).toMatch(/app +key_[0-9a-f]{24} +active +…\S{4} +2099-12-31 00:00 UTC +none +my-video/);
    const shown = await keys(['show', 'app']);
    for (const { stdout } of [listed, shown]) {
      expect(stdout).not.toContain(CONFIGURED);
      expect(stdout).not.toContain(secret);
      expect(stdout).not.toContain('sk-sluice');
    }
    const outputs = [await json('list'), await json('show', 'local'), await json('show', 'app')];
    expect(outputs).toMatchObject([{ data: [{ source: 'configuration' }, { name: 'app' }] }, { name: 'local' }, {}]);
    expect(JSON.stringify(outputs)).not.toMatch(/sk-/);
    const redis = openRedis(redisUrl);
    expect(JSON.stringify(await redis.hgetall(`{${prefix}}:keys`))).not.toContain(secret.slice(0, -4));
    redis.disconnect();
  });

  it('shows the spending of a budget and when it resets', { timeout: LONG }, async () => {
    await json('create', 'app', '--budget', '20', '--budget-period', 'total');
    const redis = openRedis(redisUrl);
    await createLimiter(redis, { prefix }).charge({ id: 'spent', owner: 'app' }, { tokens: 0, nanos: 3.25e9 });
    redis.disconnect();
    expect((await json('show', 'app'))['spending']).toEqual({
      spent_usd: 3.25,
      reserved_usd: 0,
      remaining_usd: 16.75,
    });
    const shown = await keys(['show', 'app']);
    expect(shown.stdout).toMatch(/budget +usd \$20, period total/);
    expect(shown.stdout).toMatch(/spending +spent_usd \$3\.25, reserved_usd \$0, remaining_usd \$16\.75$/m);
    const listed = await keys(['list']);
    expect(listed.stdout).toMatch(/app +key_\S+ +active +\S+ +never +\$20 in total +\$3\.25 +\$16\.75 +all/);
    await json('update', 'app', '--budget-period', 'day');
    expect((await keys(['show', 'app'])).stdout).toMatch(/, resets_at \d{4}-\d\d-\d\d 00:00 UTC$/m);
  });

  it.each([
    [['create', 'local'], /name` belongs to another key/],
    [['create', 'key_mine'], /name` must be/],
    [['create', 'app', '--limit-rpm', '0'], /limits\.rpm/],
    [['create', 'app', '--budget-period', 'day'], /budget\.usd/],
    [['create', 'app', '--models', ''], /models\.0/],
    [['create', 'app', '--expires', '0s'], /expires_at` must be in the future/],
    [['create', 'app', '--expires', '999999999d'], /expires_at` must be in the future and before the year 2286/],
    [['show', 'unknown'], /The key does not exist/],
    [['update', 'local', '--strict'], /configuration/],
    [['revoke', 'local'], /configuration/],
    [['rotate', 'unknown', '--grace', '31d'], /grace_seconds/],
  ])('rejects %j with code 1 and one line', async (args, message) => {
    const { code, stdout, stderr } = await keys(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    [['create', 'app', '--budget', '1e3'], '✗ --budget must be a number or `none`.'],
    [['creat', 'app'], '✗ Unknown command `sluice keys creat`.'],
  ])('rejects %j as incorrect usage with code 2, the problem, and a pointer to the help', async (args, message) => {
    const { code, stdout, stderr } = await keys(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`${message}\n  Run \`sluice keys --help\` for usage.\n`);
  });

  it('warns of model ids and patterns that match no configured model', { timeout: LONG }, async () => {
    await configure(redisUrl, { sandbox: { enabled: true } });
    const created = await keys(['create', 'app', '--models', 'gtp-*,vidoe,sandbox-v*,sandbox-chat']);
    expect(created.code).toBe(0);
    expect(created.stderr).toBe('! No configured model matches gtp-*, vidoe. Check the spelling.\n');
    const updated = await keys(['update', 'app', '--models', 'gtp-*', '--json']);
    expect([updated.code, updated.stderr]).toEqual([0, '! No configured model matches gtp-*. Check the spelling.\n']);
    expect(JSON.parse(updated.stdout)).toMatchObject({ models: ['gtp-*'] });
    expect((await keys(['update', 'app', '--models', 'sandbox-*'])).stderr).toBe('');
    expect((await keys(['update', 'app', '--models', 'all'])).stderr).toBe('');
  });

  it('does not start without its configuration, or if Redis does not respond', async () => {
    const away = await keys(['list'], { SLUICE_CONFIG: 'none.yaml' });
    expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('none.yaml does not exist')]);
    await configure('redis://:hunter2@127.0.0.1:1');
    const { code, stderr } = await keys(['list']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Redis at redis:\/\/127\.0\.0\.1:1 does not respond/)]);
    expect(stderr).not.toContain('hunter2');
  });

  it('finds the private Redis of a running Sluice, and reports when none runs', { timeout: LONG }, async () => {
    await configure('embedded');
    const dataDir = join(cwd, '.sluice');
    const none = await keys(['list']);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringMatching(/No Sluice .* runs on \.\/\.sluice\. Start it/),
    ]);
    const server = await resolveRedisServer({ env: process.env, spareCacheDir: join(tmpdir(), 'sluice-redis') });
    const redis = await startRedis({ server, dataDir, env: process.env });
    try {
      await json('create', 'app');
      expect(await json('show', 'app')).toMatchObject({ status: 'active' });
    } finally {
      await redis.stop();
    }
    expect((await keys(['list'])).code).toBe(1);
  });

  it.each([[[]], [['--help']], [['help']]])('prints its usage for %j', async (args) => {
    const { code, stdout } = await keys(args);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: sluice keys');
  });
});
