import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { ROOT } from '../processes.ts';
import { VENDOR_KEY } from '../stack.ts';
import { CHROMIUM } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { say, usePlayground } from './playground-screen.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const title = `playground and setup${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`;
const run = promisify(execFile);

describe.skipIf(CHROMIUM === undefined)(title, () => {
  const { stack, open } = usePlayground();

  it('keeps prompts, and the key of a vendor, out of the address and the storage', async () => {
    await using visitor = await open('playground?model=sandbox-chat', ADMIN_KEY);
    const { page } = visitor;
    await say(page, 'a secret prompt');
    await page.getByText(/→ .* tokens$/).waitFor();
    const traces = async (): Promise<string> =>
      page.url() +
      (await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])));
    expect(await traces()).not.toContain('secret');
    await page.goto(`${stack().origin}/console/setup?vendor=sandbox-chat`);
    await page.getByLabel('Key of the vendor', { exact: true }).fill(VENDOR_KEY);
    await page.getByRole('button', { name: 'List models' }).click();
    await page.getByText(/The key may use \d+ models/).waitFor();
    expect(await page.getByLabel('Key of the vendor', { exact: true }).inputValue()).toBe('');
    expect((await traces()) + (await stack().logs())).not.toContain(VENDOR_KEY);
  });

  it('shows the lines of the configuration for a vendor and its models', async () => {
    await using visitor = await open('setup?vendor=sandbox-chat', ADMIN_KEY);
    const { page, problems } = visitor;
    await page.getByLabel('Key of the vendor', { exact: true }).fill('sk-wrong');
    await page.getByRole('button', { name: 'List models' }).click();
    await page.getByText('The vendor refused the key (HTTP 401).').waitFor();
    await page.getByLabel('Key of the vendor', { exact: true }).fill(VENDOR_KEY);
    await page.getByRole('button', { name: 'List models' }).click();
    await page.getByLabel('sandbox-image', { exact: true }).check();
    const lines = page.getByRole('group', { name: 'lines for sluice.yaml' });
    expect(await lines.textContent()).toBe(
      'models:\n  - { id: sandbox-image, routes: [{ upstream: sandbox-chat, model: sandbox-image }] }',
    );
    await page.getByLabel('Vendor', { exact: true }).selectOption('openai');
    await expect.poll(() => lines.textContent()).toContain('api_key: "${OPENAI_API_KEY}"');
    expect(new URL(page.url()).searchParams.get('vendor')).toBe('openai');
    const file = path.join(stack().dir, 'added.yaml');
    await writeFile(file, `keys: [{ name: me, key: sk-some-key }]\n${await lines.textContent()}\n`);
    const env = { ...process.env, SLUICE_CONFIG: file, OPENAI_API_KEY: 'sk-openai' };
    const checked = await run(process.execPath, ['--conditions=source', 'apps/cli/src/main.ts', 'check'], {
      cwd: ROOT,
      env,
    });
    expect(checked.stdout).toContain('openai-r');
    await page.getByLabel('Vendor', { exact: true }).selectOption('kling');
    await page.getByText('This vendor has no list of models.').waitFor();
    // The browser reports the status of the refused key.
    expect(problems.splice(0).filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('makes the first call, and shows settings for each tool', async () => {
    await using visitor = await open('setup');
    const { page } = visitor;
    expect(await page.getByRole('region', { name: 'Add a vendor' }).count()).toBe(0);
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByText(/→ .* tokens$/).waitFor();
    for (const name of ['Claude Code', 'Codex', 'Gemini CLI', 'OpenAI SDK', 'Anthropic SDK', 'Google SDK']) {
      await page.getByRole('radio', { name }).click();
      const codes = await page.getByRole('region', { name: 'Connect your tools' }).locator('pre').allTextContents();
      expect(codes.join('\n')).toContain(stack().origin);
    }
    expect(new URL(page.url()).searchParams.get('tool')).toBe('google');
    await page.getByRole('link', { name: 'Try sandbox-image' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    expect(new URL(page.url()).searchParams.get('mode')).toBe('image');
  });
});
