import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { KEY, VENDOR_KEY } from '../stack.ts';
import { CHROMIUM, expectAccessible, takeScreenshot, WIDTHS } from './browser.ts';
import { ADMIN_KEY, MARKUP } from './console-stack.ts';
import { searchOf, useUpstreamsScreens } from './upstreams-screens.ts';
import { BROKEN_KEY } from './upstreams-stack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const title = `upstreams, models, and configuration${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`;

describe.skipIf(CHROMIUM === undefined)(title, () => {
  const { stack, open, openAs } = useUpstreamsScreens();
  const configFile = () => path.join(stack().dir, 'sluice.yaml');

  it('filters models in the address, and opens their requests, usage, and playground', async () => {
    const { page, context, problems } = await openAs('admin');
    await open(page, '/models?price=no+price');
    const table = page.getByRole('region', { name: 'Models' });
    await table.getByRole('link', { name: MARKUP, exact: true }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await table.getByRole('link', { name: 'gpt-5.1' }).count()).toBe(0);
    await page.getByLabel('Upstream').selectOption('vendor');
    await table.getByRole('link', { name: MARKUP, exact: true }).waitFor({ state: 'hidden' });
    expect(searchOf(page)).toEqual({ price: 'no price', upstream: 'vendor' });
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Name').fill('SANDBOX-CH');
    await page.keyboard.press('Enter');
    await table.getByRole('link', { name: 'test-video' }).waitFor({ state: 'hidden' });
    await table.getByText('$1.25 in · $10.00 out').waitFor();
    await table.getByRole('link', { name: 'Requests of sandbox-chat' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    expect(searchOf(page)).toEqual({ model: 'sandbox-chat' });
    await page.goBack();
    await table.getByRole('link', { name: 'Playground with sandbox-chat' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    expect(searchOf(page)).toMatchObject({ mode: 'chat', model: 'sandbox-chat' });
    await page.goBack();
    await table.getByRole('link', { name: 'sandbox-chat', exact: true }).click();
    await page.getByText('$10.00 per million').waitFor();
    await page.getByRole('link', { name: 'Models', exact: true }).first().click();
    await open(page, `/models?show=${encodeURIComponent('team/any-*')}`);
    await page.getByText('This is a pattern.').waitFor();
    expect(await page.getByRole('link', { name: /^Requests of/ }).count()).toBe(0);
    await open(page, '/models?show=gpt-image-1');
    await page.getByText('Image, 1024x1024, high').waitFor();
    await open(page, `/models?show=${encodeURIComponent(MARKUP)}`);
    await page.getByText('This route has no price.').waitFor();
    await open(page, '/models?show=unknown');
    await page.getByText('No such model').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('shows the changes of the file, and what is wrong in it', async () => {
    const { page, context, problems } = await openAs('viewer');
    const phone = await openAs('viewer', WIDTHS.phone);
    const original = await readFile(configFile(), 'utf8');
    const shoot = async (name: string): Promise<void> => {
      for (const [width, visitor] of Object.entries({ desktop: page, phone: phone.page })) {
        await takeScreenshot(visitor, `${name}-${width}`);
        await expectAccessible(visitor);
      }
    };
    try {
      await open(page, '/configuration?section=log');
      await open(phone.page, '/configuration?section=log');
      await page.getByText('The running configuration is that of the file').waitFor();
      // The cast is safe because the test wrote the file.
      const config = JSON.parse(original) as { server?: object; console?: object; ledger?: object };
      const changed = {
        ...config,
        server: { ...config.server, secret: 'sk-changed-6006-is-32-characters-long' },
        console: { ...config.console, session_ms: 3_600_000 },
        ledger: { ...config.ledger, url: `postgres://127.0.0.1/${MARKUP}` },
      };
      await writeFile(configFile(), JSON.stringify(changed));
      for (const visitor of [page, phone.page]) await visitor.getByText('3 changes are not applied yet').waitFor();
      const list = page.getByRole('region', { name: 'Changes' });
      await list.getByText('console.session_ms').waitFor();
      await list.getByText('server.secret').waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(await page.content()).not.toContain('sk-changed-6006');
      await shoot('configuration-changed');
      await writeFile(configFile(), 'keys:\n  - name: a\n    key: a-long-secret-key\nlog:\n  level: inof\n');
      for (const visitor of [page, phone.page]) await visitor.getByText('The file is invalid').waitFor();
      await page.getByText('inof is not a known value; did you mean info?').waitFor();
      await page.getByText('line 5, column 10').waitFor();
      expect(await page.content()).not.toContain('a-long-secret-key');
      await shoot('configuration-invalid');
      await writeFile(configFile(), original);
      await page.getByText('The running configuration is that of the file').waitFor();
    } finally {
      await writeFile(configFile(), original);
    }
    expect([...problems, ...phone.problems]).toEqual([]);
    await Promise.all([context.close(), phone.context.close()]);
  });

  it('finds fields of the running configuration, without secrets', async () => {
    const { page, context, problems } = await openAs('operator');
    await open(page, '/configuration');
    await page.getByRole('heading', { name: 'routing' }).click();
    await page.getByText('failures: 3').waitFor();
    await page.getByLabel('Section').selectOption('upstreams');
    await page.getByRole('group', { name: 'upstreams as YAML' }).waitFor();
    expect(searchOf(page)).toEqual({ section: 'upstreams' });
    const texts = (await page.content()) + page.url();
    for (const secret of [KEY, VENDOR_KEY, BROKEN_KEY, ADMIN_KEY]) expect(texts).not.toContain(secret);
    await page.getByLabel('Find').fill('max_in_flight');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /upstreams\.vendor\.max_in_flight 8/ }).waitFor();
    await page.getByLabel('Section').selectOption('');
    await page.getByLabel('Find').fill('dir');
    await page.getByRole('row', { name: `content.dir ${path.join(stack().dir, 'data/content')}` }).waitFor();
    expect(await page.getByRole('cell', { name: /dataDir|contentDir/ }).count()).toBe(0);
    await page.getByText(`Data folder ${path.join(stack().dir, 'data')}, from SLUICE_DATA_DIR`).waitFor();
    await page.getByLabel('Find').fill('no such field');
    await page.keyboard.press('Enter');
    await page.getByText('No field matches').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
