import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { installPackages, type Python } from '../python/install-packages.ts';
import { KEY } from '../stack.ts';
import { type ReferenceStack, startReferenceStack } from './reference-stack.ts';

/** Cases per operation. A larger number also runs the slow phase that tries every bound of the schemas. */
const EXAMPLES = Number(process.env['SLUICE_SCHEMATHESIS_EXAMPLES'] ?? 3);
const DEFAULT_EXAMPLES = 3;
vi.setConfig({ testTimeout: EXAMPLES > DEFAULT_EXAMPLES ? 3_600_000 : 600_000, hookTimeout: 120_000 });

const installed = await installPackages('schemathesis==4.32.5');
const isSkipped = typeof installed === 'string';
const reason = isSkipped ? ` [skipped: ${installed}]` : '';

describe.skipIf(isSkipped)(`schemathesis on /openapi.json${reason}`, () => {
  let stack: ReferenceStack;
  beforeAll(async () => {
    // Without workers, nothing is sent to the generated URLs.
    stack = await startReferenceStack({
      workers: 0,
      config: { timeouts: { image_wait_ms: 1_000 }, webhooks: { timeout_ms: 1_000, per_key: 100 } },
    });
  });
  afterAll(() => stack.close());

  it('finds no difference between the document and the gateway, with valid and invalid data', async () => {
    const { code, output } = await run(installed as Python, stack); // Cast: the group runs only if it is installed.
    expect(code, output.slice(-8_000)).toBe(0);
  });
});

async function run({ command, env }: Python, { origin, dir }: ReferenceStack) {
  const phases = EXAMPLES > DEFAULT_EXAMPLES ? 'examples,coverage,fuzzing' : 'examples,fuzzing';
  const options = [
    ['--config-file', path.join(import.meta.dirname, 'schemathesis.toml')],
    ['run', `${origin}/openapi.json`],
    // The admin API requires another key.
    ['--exclude-path-regex', '^/admin/'],
    ['--checks', 'all'],
    ['--phases', phases],
    ['--max-examples', String(EXAMPLES)],
    ['--seed', '1'],
    // One worker: with several, Python 3.11 fails in its parser now and then.
    ['--workers', '1'],
    // A busy machine delays responses and the generation of data.
    ['--request-timeout', '60', '--suppress-health-check', 'all'],
    ['--continue-on-failure', '--no-shrink'],
  ].flat();
  const child = spawn(command, ['-m', 'schemathesis.cli', ...options], {
    cwd: dir,
    env: { ...process.env, ...env, SLUICE_KEY: KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  return { code, output };
}
