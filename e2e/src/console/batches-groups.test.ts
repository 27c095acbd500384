import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY } from '../stack.ts';
import {
  CHROMIUM,
  expectAccessible,
  expectAccessibleLooks,
  launchBrowser,
  openPage,
  openSession,
  WIDTHS,
} from './browser.ts';
import { ADMIN_KEY, MARKUP } from './console-stack.ts';
import { type MediaStack, startMediaStack } from './media-stack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const CHAT = '/v1/chat/completions';
const PATIENT = { timeout: 60_000, interval: 100 };
const LOOK = { width: WIDTHS.desktop, theme: 'light' } as const;
const chatLine = (content: string) => ({ model: 'sandbox-chat', messages: [{ role: 'user', content }] });
const shows = (page: Page, text: string) => page.getByText(text).first().waitFor();
const rows = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).getByRole('row');

describe.skipIf(CHROMIUM === undefined)('the screens of batches and groups', () => {
  let stack: MediaStack;
  let browser: Browser;
  let done: string;
  let invalid: string;
  let group: string;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startMediaStack(), launchBrowser()]);
    const lines = [chatLine('Hello.'), { model: 'sandbox-chat', messages: MARKUP }];
    [done, invalid, group] = await Promise.all([
      createBatch(lines),
      createBatch([chatLine('Hello.'), { model: 'no-such-model', messages: [] }]),
      createGroup([`A kite ${MARKUP}`, 'A kite [moderated-output]', 'A boat']),
    ]);
    await Promise.all([
      until(`/v1/batches/${done}`, 'completed'),
      until(`/v1/batches/${invalid}`, 'failed'),
      until(`/v1/videos/batch/${group}`, 'completed'),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function createBatch(bodies: readonly object[], url = CHAT): Promise<string> {
    const lines = bodies.map((body, at) => JSON.stringify({ custom_id: `line-${at}`, method: 'POST', url, body }));
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new Blob([lines.join('\n')]), 'input.jsonl');
    const headers = { authorization: `Bearer ${KEY}` };
    const response = await fetch(`${stack.origin}/v1/files`, { method: 'POST', headers, body: form });
    const { id: input_file_id } = (await response.json()) as { id: string }; // Every file has an id.
    const params = { input_file_id, endpoint: url, completion_window: '24h', metadata: { team: MARKUP } };
    return String((await stack.call('POST', '/v1/batches', params))['id']);
  }

  async function createGroup(prompts: readonly string[]): Promise<string> {
    return String((await stack.call('POST', '/v1/videos/batch', { prompts, model: 'sandbox-video' }))['id']);
  }

  const until = (at: string, status: string) =>
    vi.waitFor(async () => expect((await stack.call('GET', at))['status']).toBe(status), PATIENT);

  async function visit(key: string, run: (page: Page) => Promise<void>, role?: 'viewer' | 'operator'): Promise<void> {
    const { page, context, problems } = await openPage(browser, LOOK);
    page.setDefaultTimeout(10_000);
    try {
      await openSession(page, stack.origin, key, role);
      await run(page);
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      // Chromium reports each refused request, and one test opens objects that do not exist.
      expect(problems.filter((problem) => !problem.includes('404 (Not Found)'))).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const open = (page: Page, at: string) => page.goto(`${stack.origin}/console/${at}`);

  it.each(Object.entries({ admin: ADMIN_KEY, holder: KEY }))('are accessible to the %s', async (role, key) => {
    await visit(key, async (page) => {
      const check = (screen: string): Promise<void> => expectAccessibleLooks(page, `${screen}-${role}`);
      await open(page, 'batches');
      await rows(page, 'Batches').filter({ hasText: 'Completed' }).first().waitFor();
      await check('batches');
      await open(page, `batches/${done}`);
      await shows(page, 'Succeeded');
      await check('batch');
      await open(page, `batches/${invalid}`);
      await shows(page, 'No request was sent.');
      await check('batch-failed');
      await open(page, 'groups');
      await rows(page, 'Groups').filter({ hasText: '1 failed' }).first().waitFor();
      await check('groups');
      await open(page, `groups/${group}`);
      await page.locator('video').first().waitFor();
      await check('group');
    });
  });

  it('lists batches with their progress, and filters those of all keys by the URL', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'batches?status=failed');
      await rows(page, 'Batches').filter({ hasText: 'client' }).waitFor();
      expect(await rows(page, 'Batches').count()).toBe(2);
      await page.getByLabel('Status').selectOption({ label: 'Completed' });
      await rows(page, 'Batches').filter({ hasText: '2 of 2, 1 failed' }).filter({ hasText: 'line by line' }).waitFor();
      expect(new URL(page.url()).search).toBe('?status=completed');
      await page.getByLabel('Model').fill('other');
      await shows(page, 'No batch matches these filters');
      await page.keyboard.press('Escape');
      await page.getByLabel('Model').blur();
      await page.keyboard.press('g');
      await page.keyboard.press('v');
      await page.getByRole('heading', { name: 'Groups' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type(done);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'sandbox-chat' }).waitFor();
    });
  });

  it('shows the counts, errors, files, and requests of a batch', async () => {
    await visit(KEY, async (page) => {
      await open(page, `batches/${invalid}`);
      const line = page.getByRole('region', { name: 'Errors of lines' }).getByRole('row').nth(1);
      await line.getByRole('cell', { name: '2', exact: true }).waitFor();
      await line.getByText('All lines of a batch must have the same model.').waitFor();
      await open(page, `batches/${done}`);
      await shows(page, MARKUP);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download output' }).click(),
      ]);
      expect(await readFile(await download.path(), 'utf8')).toContain('"custom_id":"line-0"');
      await page.getByRole('link', { name: 'Requests of this batch' }).click();
      await expect.poll(() => rows(page, 'Requests').count(), { timeout: 30_000 }).toBe(3);
    });
    await visit(ADMIN_KEY, async (page) => {
      await open(page, `batches/${done}`);
      await shows(page, 'Only the key can read their content');
      expect(await page.getByRole('link', { name: 'Download output' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Files of the key' }).nth(1).click();
      await expect.poll(() => new URL(page.url()).search).toBe('?key=client&purpose=batch_output');
    });
  });

  it.each(Object.entries({ holder: KEY, operator: ADMIN_KEY }))(
    'pauses, resumes, and cancels a batch as %s',
    async (role, key) => {
      const id = await createBatch(Array.from({ length: 4 }, () => chatLine('Wait. [slow:60]')));
      await until(`/v1/batches/${id}`, 'in_progress');
      await visit(
        key,
        async (page) => {
          await open(page, `batches/${id}`);
          await page.getByRole('button', { name: 'Pause' }).click();
          await page.getByRole('button', { name: 'Resume' }).waitFor();
          await shows(page, 'Paused');
          await page.getByRole('button', { name: 'Resume' }).click();
          await page.getByRole('button', { name: 'Pause' }).waitFor();
          await page.getByRole('button', { name: 'Cancel batch' }).click();
          await expectAccessible(page);
          await page.getByRole('dialog').getByRole('button', { name: 'Cancel batch' }).click();
          await page
            .getByText(/^Cancel(?:ing|ed)$/)
            .first()
            .waitFor();
          expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
        },
        role === 'operator' ? role : undefined,
      );
    },
  );

  it('shows the videos of a group, and retries and cancels them', async () => {
    const id = await createGroup(['A slow river [stall]', 'A kite [moderated-output]']);
    const counts = async () => (await stack.call('GET', `/v1/videos/batch/${id}`))['counts'];
    await expect.poll(counts, { timeout: 60_000 }).toMatchObject({ failed: 1 });
    await visit(KEY, async (page) => {
      await open(page, `groups/${id}`);
      await page.getByRole('button', { name: 'Retry failed' }).click();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Retry failed' }).click();
      await shows(page, 'Failed videos are created again');
      await shows(page, 'retried once');
      await page.getByRole('link', { name: 'Video 2' }).click();
      await page.getByRole('heading', { name: 'sandbox-video' }).waitFor();
    });
    await visit(
      ADMIN_KEY,
      async (page) => {
        await open(page, `groups/${id}`);
        await page.getByRole('button', { name: 'Cancel all' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click();
        await page
          .getByText(/^Cancel(?:ing|ed)$/)
          .first()
          .waitFor();
        await open(page, `audit?target=${id}`);
        await page.getByRole('link', { name: id }).first().waitFor();
      },
      'operator',
    );
  });

  it('have no actions for a viewer', async () => {
    const batch = await createBatch(Array.from({ length: 4 }, () => chatLine('Wait. [slow:60]')));
    await until(`/v1/batches/${batch}`, 'in_progress');
    const slow = await createGroup(['A slow river [stall]', 'Another river [stall]']);
    await visit(
      ADMIN_KEY,
      async (page) => {
        await open(page, `batches/${batch}`);
        await shows(page, 'Running');
        expect(await page.getByRole('button', { name: /Pause|Cancel/ }).count()).toBe(0);
        await open(page, `groups/${slow}`);
        await shows(page, '2 videos');
        expect(await page.getByRole('button', { name: /Retry|Cancel/ }).count()).toBe(0);
      },
      'viewer',
    );
    await stack.call('POST', `/v1/batches/${batch}/cancel`);
    await stack.call('POST', `/v1/videos/batch/${slow}/cancel`);
  });

  it('say what to do if there is none, or it does not exist', async () => {
    const created = await stack.call('POST', '/admin/v1/keys', { name: 'newcomer' }, ADMIN_KEY);
    await visit(String(created['key']), async (page) => {
      await open(page, 'batches');
      await shows(page, 'No batches yet');
      await shows(page, 'POST /v1/batches');
      await open(page, 'groups');
      await shows(page, 'POST /v1/videos/batch');
      await open(page, `batches/${done}`);
      await page.getByRole('alert').filter({ hasText: 'The batch does not exist' }).waitFor();
      await open(page, `groups/${group}`);
      await page.getByRole('alert').filter({ hasText: 'The group does not exist' }).waitFor();
    });
  });
});
