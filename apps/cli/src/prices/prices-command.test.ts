import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const CONFIG = `keys: [{ name: me, key: sk-me-12345 }]
sandbox: { enabled: true }
upstreams:
  openai: { kind: chat-completions, base_url: "https://api.openai.com/v1", api_key: k }
  veo: { kind: veo, base_url: "https://generativelanguage.googleapis.com", api_key: k }
  own: { kind: chat-completions, base_url: "https://llm.example.com/v1", api_key: k }
models:
  - { id: gpt-5.1, routes: [{ upstream: openai, model: gpt-5.1 }, { upstream: own, model: gpt-5.1 }] }
  - { id: cheap, routes: [{ upstream: openai, model: gpt-5.1 }], price: { input: 1, output: 10 } }
  - { id: clip, routes: [{ upstream: veo, model: veo-3.1-fast-generate-preview }] }
  - { id: "openai/*", routes: [{ upstream: openai, model: "*" }] }
`;

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sluice-prices-'));
  await writeFile(join(cwd, 'sluice.yaml'), CONFIG);
});
afterAll(() => rm(cwd, { recursive: true }));

function prices(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=source', MAIN, 'prices', ...args],
      { cwd, env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

describe('sluice prices', () => {
  it('lists each model at each upstream with its price, source, and date', async () => {
    const { code, stdout } = await prices();
    expect(code).toBe(0);
    for (const line of [
      /^ +gpt-5\.1 +openai\/gpt-5\.1 +\$1\.25 in, \$10 out +@pydantic\/genai-prices 0\.1\.8, 2026-09-23$/m,
      /^ +gpt-5\.1 +own\/gpt-5\.1 +unpriced$/m,
      /^ +cheap +openai\/gpt-5\.1 +\$1 in, \$10 out +configuration$/m,
      /^ +clip +veo\/veo-3\.1-fast-generate-preview +\$0\.1–\$0\.3\/second +sluice, 2026-11-23, unchecked$/m,
      /^ +openai\/\* +openai\/\* +depends on the model$/m,
    ])
      expect(stdout).toMatch(line);
  });

  it('prints prices in the format of the configuration for programs', async () => {
    const { stdout } = await prices('--json');
    const { data } = JSON.parse(stdout);
    expect(data).toContainEqual({
      model: 'cheap',
      upstream: 'openai',
      upstream_model: 'gpt-5.1',
      status: 'config',
      source: { from: 'config' },
      price: { input: 1, cached_input: 1, cache_write: 1, output: 10 },
      catalog_price: expect.objectContaining({ input: 1.25, cached_input: 0.125 }),
    });
    expect(data).toContainEqual(expect.objectContaining({ model: 'gpt-5.1', upstream: 'own', status: 'unpriced' }));
  });

  it('explains a price with an example', async () => {
    const { code, stdout } = await prices('--model', 'openai/gpt-5.1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/page +https:\/\/developers\.openai\.com\/api\/docs\/pricing/);
    expect(stdout).toMatch(/service_tiers +\{batch: 0\.5, flex: 0\.5, priority: 2\}/);
    expect(stdout).toMatch(
      /Example: .*: \$0\.0135\n +2,000 +input_tokens +\$0\.0025\n +8,000 +cached_input_tokens +\$0\.001\n/,
    );
  });

  it('explains the prices of a video, and that they are unchecked', async () => {
    const { stdout } = await prices('--model', 'clip');
    expect(stdout).toMatch(/unchecked +read in .*LiteLLM/);
    expect(stdout).toMatch(/a video of 5 seconds with the default resolution: \$0\.5\n/);
  });

  it('explains the price of transcribed audio', async () => {
    const { stdout } = await prices('--model', 'openai/whisper-1');
    expect(stdout).toMatch(/audio_second +0\.0001$/m);
    expect(stdout).toMatch(/Example: a minute of transcribed audio: \$0\.006$/m);
  });

  it('reports models without a price, and differences from the catalog', async () => {
    const { code, stdout } = await prices('check');
    expect(code).toBe(1);
    expect(stdout).toMatch(/gpt-5\.1 +own\/gpt-5\.1 +no price\n/);
    expect(stdout).toMatch(/cheap +openai\/gpt-5\.1 +input: 1 in the configuration, 1\.25 in the catalog\n/);
    expect(stdout).not.toMatch(/sandbox|clip|openai\/\*/);
    const json = JSON.parse((await prices('check', '--json')).stdout);
    expect(json.unpriced).toEqual([{ model: 'gpt-5.1', upstream: 'own', upstream_model: 'gpt-5.1' }]);
    expect(json.differences).toContainEqual(expect.objectContaining({ field: 'input', configured: 1, catalog: 1.25 }));
  });

  it.each([
    [['--model', 'gpt-5.2'], 'The configuration has no model `gpt-5.2`. Similar models: `gpt-5.1`'],
    [['--model', ' '], 'Set --model to the id of a model.'],
    [['update'], 'Unknown command `sluice prices update`.'],
    [['check', 'more'], 'accepts no further argument'],
    [['check', '--model', 'clip'], 'does not accept --model'],
    [['--currency', 'eur'], '--currency'],
  ])('rejects %j', async (args, message) => {
    const { code, stderr } = await prices(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('prints its usage', async () => {
    expect((await prices('--help')).stdout).toContain('Usage: sluice prices');
  });
});
