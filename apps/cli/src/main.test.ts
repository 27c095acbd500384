import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sluice-main-'));
});
afterEach(() => rm(cwd, { recursive: true }));

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `sluice` in a temporary folder. */
function sluice(...args: string[]): Promise<Run> {
  return sluiceWith({}, ...args);
}

function sluiceWith(variables: NodeJS.ProcessEnv, ...args: string[]): Promise<Run> {
  const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...variables };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=source', MAIN, ...args],
      { cwd, env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

describe('sluice check', () => {
  it('prints the resolved configuration, what is disabled and why, and no secret', async () => {
    await writeFile(
      join(cwd, 'sluice.yaml'),
      `server: { public_url: "https://videos.example", admin_key: an-admin-hunter2 }
redis: { url: "redis://:hunt@er2@redis:6379" }
keys: [{ name: me, key: sk-hunter2, models: ["video-*"], limits: { rpm: 5 }, budget: { usd: 5, period: day } }]
upstreams:
  acme: { kind: videos, base_url: "https://acme.example/v1?key=hunter2", api_key: hunter2, max_in_flight: 3 }
  later: { kind: videos, base_url: "https://later.example", api_key: "\${LATER_KEY}" }
models:
  - { id: "video-*", routes: [{ upstream: acme, model: "*" }] }
  - { id: other, routes: [{ upstream: later, model: x }] }
tasks: { retention_ms: 86400000 }
`,
    );
    const { code, stdout } = await sluice('check');
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/hunt|er2/);
    for (const words of [
      /Config +\.\/sluice\.yaml/,
      /API +http:\/\/127\.0\.0\.1:8080, for clients https:\/\/videos\.example/,
      /Admin API +on/,
      /Redis +redis:\/\/redis:6379, key prefix sluice/,
      /API key +me \(video-\*; rpm 5, budget \$5 a day\)/,
      /Upstream +acme: videos at https:\/\/acme\.example\/v1 \(api_key; max_in_flight 3, max_submitting 16\)/,
      /Upstream off +later \(LATER_KEY not set\)/,
      /Model +video-\* → acme\/\*/,
      /No price +video-\*: free for me, although it has a budget/,
      /Model off +other \(LATER_KEY not set\)/,
      /polling +first_ms 2000, min_ms 3000/,
      /tasks +.*retention_ms 86400000/,
      /limits +json_bytes/,
      /log +level info/,
    ])
      expect(stdout).toMatch(words);
  });

  it("reports the sandbox's address from its variables, or from the last start", async () => {
    const sandboxOf = async (variables: NodeJS.ProcessEnv = {}): Promise<string | undefined> => {
      const { stdout } = await sluiceWith(variables, 'check');
      return /sandbox-chat: chat-completions at (\S+)/.exec(stdout)?.[1];
    };
    expect(await sandboxOf()).toBe('http://127.0.0.1:8079/v1');
    await mkdir(join(cwd, '.sluice'));
    await writeFile(join(cwd, '.sluice/sandbox-port'), '40123\n');
    expect(await sandboxOf()).toBe('http://127.0.0.1:40123/v1');
    expect(await sandboxOf({ SLUICE_SANDBOX_PORT: '4711' })).toBe('http://127.0.0.1:4711/v1');
    const elsewhere = { SLUICE_SANDBOX_URL: 'http://sandbox:1', SLUICE_SANDBOX_PORT: '4711' };
    expect(await sandboxOf(elsewhere)).toBe('http://sandbox:1/v1');
    const { code, stderr } = await sluiceWith({ SLUICE_SANDBOX_PORT: 'http' }, 'check');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('SLUICE_SANDBOX_PORT: must be an integer from 1 to 65535'),
    ]);
  });

  it('prints JSON for programs, without secrets', async () => {
    await writeFile(
      join(cwd, 'sluice.yaml'),
      'keys: [{ name: me, key: sk-hunter2, limits: { tpm: 9 }, budget: { usd: 5 } }]\n',
    );
    const { code, stdout } = await sluice('check', '--json');
    expect(code).toBe(0);
    expect(stdout).not.toContain('hunter2');
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      data_dir: join(cwd, '.sluice'),
      disabled_upstreams: [],
      keys: [{ name: 'me', limits: { tpm: 9 }, budget: { usd: 5, period: 'month' } }],
      settings: { limits: { json_bytes: expect.any(Number) } },
    });
  });

  it('prints the mistakes as JSON with code 1', async () => {
    await writeFile(join(cwd, 'sluice.yaml'), 'serve: {}\n');
    const { code, stdout, stderr } = await sluice('check', '--json');
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      issues: [{ where: 'sluice.yaml:1:1' }],
    });
  });

  it('rejects an unknown option with code 2', async () => {
    const { code, stderr } = await sluice('check', '--jsn');
    expect([code, stderr]).toEqual([2, "✗ Unknown option '--jsn'.\n  Run `sluice check --help` for usage.\n"]);
  });

  it('reports configuration errors with code 1', async () => {
    await writeFile(join(cwd, 'sluice.yaml'), 'serve: {}\n');
    const { code, stderr } = await sluice('check');
    expect(code).toBe(1);
    expect(stderr).toContain('sluice.yaml:1:1');
  });
});

describe('sluice schema', () => {
  it('prints the JSON Schema of sluice.yaml and nothing else', async () => {
    const { code, stdout } = await sluice('schema');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object', properties: { server: {}, upstreams: {} } });
  });
});

it('sluice rejects an unknown command with code 2 and the usage', async () => {
  const { code, stderr } = await sluice('chekc');
  expect(code).toBe(2);
  expect(stderr).toContain('schema');
  // The error must be at the end of the output, where the user sees it.
  expect(stderr).toMatch(/✗ Unknown command `chekc`\.\n$/);
});

describe('sluice', () => {
  it.each(['--version', '-v', 'version'])('prints its version for %s', async (option) => {
    const { code, stdout } = await sluice(option);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^sluice \d+\.\d+\.\d+\n$/)]);
  });

  it.each(['start', 'check', 'schema', 'completion', 'keys', 'tasks'])('prints the usage of %s', async (command) => {
    const { code, stdout, stderr } = await sluice(command, '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: [^]*\n$/);
  });

  it('colors errors on demand, and never with NO_COLOR', async () => {
    const marks = await Promise.all(
      [{}, { FORCE_COLOR: '1' }, { NO_COLOR: '1' }].map(async (variables) => {
        const { stderr } = await sluiceWith(variables, 'check', '--jsn');
        return stderr.slice(0, stderr.indexOf('Unknown') - 1);
      }),
    );
    expect(marks).toEqual(['✗', '\u001b[31m✗\u001b[39m', '✗']);
  });

  it('prints an unexpected error without its stack trace, unless SLUICE_DEBUG is set', async () => {
    // The data folder is not a directory, so no port can be read or stored there.
    const variables = { SLUICE_DATA_DIR: join(MAIN, 'data'), REDIS_URL: 'redis://127.0.0.1:1' };
    const { code, stderr } = await sluiceWith(variables, 'keys', 'list');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^✗ [^\n]+\n$/);
    const debugged = await sluiceWith({ ...variables, SLUICE_DEBUG: '1' }, 'keys', 'list');
    expect(debugged.stderr).toMatch(/\n {4}at /);
  });
});

describe('sluice completion', () => {
  it.each([
    [['sluice', 'ch'], 'check'],
    [['sluice', 'start', '--po'], '--port'],
    [['sluice', 'keys', 'ro'], 'rotate'],
    [['sluice', 'keys', 'create', 'app', '--limit-r'], '--limit-rpm'],
    [['sluice', 'tasks', 'fail', '--re'], '--reason'],
    [['sluice', 'completion', 'f'], 'fish'],
  ])('completes %j in bash', async (line, expected) => {
    const { stdout: script } = await sluice('completion', 'bash');
    const program = `${script}COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluice; echo "\${COMPREPLY[*]}"`;
    const output = execFileSync('bash', ['-c', program, 'bash', ...line], { encoding: 'utf8' });
    expect(output.trim()).toBe(expected);
  });

  it('supports zsh and fish, and rejects other shells', async () => {
    expect((await sluice('completion', 'zsh')).stdout).toContain('bashcompinit');
    expect((await sluice('completion', 'fish')).stdout).toMatch(/^complete -c sluice .*tasks/);
    expect((await sluice('completion', 'tcsh')).code).toBe(2);
  });
});
