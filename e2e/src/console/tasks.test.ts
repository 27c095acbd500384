import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { KEY } from '../stack.ts';
import { CHROMIUM, expectAccessible, expectAccessibleLooks } from './browser.ts';
import { ADMIN_KEY, MARKUP } from './console-stack.ts';
import { shows, useMediaScreens } from './media-screens.ts';
import { LOST_MODEL } from './media-stack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const rows = (page: Page) => page.getByRole('region', { name: 'Tasks' }).getByRole('row');

describe.skipIf(CHROMIUM === undefined)('the screens of tasks, media, and webhooks', () => {
  const { stack, visit, open } = useMediaScreens();

  /** Creates a task whose submission outcome is unknown. */
  async function lostTask(): Promise<string> {
    const id = await stack().video('A lost boat', LOST_MODEL);
    const status = async () => (await stack().call('GET', `/v1/tasks/${id}`))['status'];
    await expect.poll(status).toBe('submit_unknown');
    return id;
  }

  it.each(Object.entries({ admin: ADMIN_KEY, holder: KEY }))('are accessible to the %s', async (role, key) => {
    await visit(key, async (page) => {
      const check = (screen: string): Promise<void> => expectAccessibleLooks(page, `${screen}-${role}`);
      await open(page, 'tasks');
      await page.getByRole('cell', { name: 'sandbox-video' }).first().waitFor();
      await check('tasks');
      await open(page, 'tasks?view=board');
      await page.getByRole('region', { name: 'Completed' }).getByRole('link').first().waitFor();
      await check('board');
      await open(page, `tasks/${stack().tasks.original}`);
      await page.locator('video').waitFor();
      await shows(page, 'Lineage');
      await check('task');
      await open(page, `tasks/${stack().tasks.failed}`);
      await shows(page, 'The vendor refused the content for its policy.');
      await check('task-failed');
      await open(page, 'gallery');
      await page.locator('video').first().waitFor();
      await page.locator('main img').first().waitFor();
      await check('gallery');
      if (role === 'admin') return;
      await open(page, 'webhooks');
      await page.getByRole('cell', { name: 'video.completed' }).first().waitFor();
      await check('webhooks');
      await page.getByRole('region', { name: 'Deliveries' }).getByRole('row').nth(1).getByRole('link').click();
      await shows(page, 'webhook-id');
      await check('delivery');
    });
  });

  it('filters tasks by the URL, and opens a task by its id', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'tasks?status=failed&kind=video');
      await page.getByRole('cell', { name: 'sandbox-video' }).waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
      expect(await page.getByLabel('Status').locator('option:checked').textContent()).toBe('Failed');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('cell', { name: 'image' }).first().waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.keyboard.press('/');
      await page.keyboard.type(stack().tasks.image);
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'Result 2' }).waitFor();
    });
  });

  it('filters tasks by the user and a label of a key, also with the links of a task', async () => {
    const params = { model: 'sandbox-video', prompt: 'A labeled boat', user: 'u_7', labels: { project: 'kites' } };
    const id = String((await stack().call('POST', '/v1/videos', params))['id']);
    await visit(KEY, async (page) => {
      await open(page, 'tasks');
      await page.getByLabel('Label').fill('project=kites');
      await expect.poll(() => new URL(page.url()).search).toBe('?label=project%3Dkites');
      await expect.poll(() => rows(page).count()).toBe(2);
      await page.getByLabel('Label').fill('no label');
      await page.getByLabel('Label').press('Enter');
      await page.getByRole('alert').filter({ hasText: 'Enter a label as name=value' }).waitFor();
      expect(new URL(page.url()).search).toBe('?label=project%3Dkites');
      await page.getByLabel('Label').fill('project=boats');
      await shows(page, 'No task matches these filters');
      await open(page, 'tasks?user=u_7&view=board');
      await page.getByRole('main').getByRole('link', { name: 'sandbox-video' }).first().click();
      await page.getByRole('link', { name: 'kites' }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('?label=project%3Dkites');
      await expect.poll(() => rows(page).count()).toBe(2);
    });
    await visit(ADMIN_KEY, async (page) => {
      await open(page, `tasks/${id}`);
      await page.getByRole('link', { name: 'u_7' }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('?key=client&user=u_7');
      await expect.poll(() => rows(page).count()).toBe(2);
      await page.getByLabel('API key').fill('');
      await page.getByRole('alert').filter({ hasText: 'key is required' }).waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await expect.poll(() => rows(page).count()).toBeGreaterThan(2);
      expect(await page.getByLabel('Label').count()).toBe(0);
    });
  });

  it('says that the cost of a request for a task is that of the task', async () => {
    const { data } = (await stack().call('GET', `/v1/requests?id=${stack().tasks.original}&type=request`)) as {
      data: { id: string }[]; // The cast is safe because this is the list's documented form.
    };
    await visit(KEY, async (page) => {
      await open(page, `requests/${data[0]?.id}`);
      await shows(page, 'The entry of the task has the usage and the cost.');
    });
  });

  it('shows that a key has paused its tasks, and no cost of a task that was canceled', async () => {
    await stack().call('POST', '/v1/tasks/queue', { paused: true });
    const id = await stack().video('A paused boat');
    try {
      for (const key of [KEY, ADMIN_KEY]) {
        await visit(key, async (page) => {
          await open(page, 'tasks?status=queued');
          await rows(page).filter({ hasText: 'Queue paused' }).waitFor();
          await open(page, `tasks/${id}`);
          await shows(page, 'The key has paused all its waiting tasks.');
          await expectAccessible(page);
        });
      }
    } finally {
      await stack().call('POST', `/v1/tasks/${id}/cancel`);
      await stack().call('POST', '/v1/tasks/queue', { paused: false });
    }
    await visit(KEY, async (page) => {
      await open(page, 'tasks?status=canceled');
      await rows(page).nth(1).getByRole('cell', { name: '–', exact: true }).waitFor();
      expect(await page.getByText('unpriced').count()).toBe(0);
    });
  });

  it('lists files by key and purpose, and lets the holder download and delete them', async () => {
    const name = 'notes <img src=x>.txt';
    const form = new FormData();
    form.append('purpose', 'user_data');
    form.append('file', new Blob(['some notes'], { type: 'text/plain' }), name);
    await fetch(`${stack().origin}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: form,
    });
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'files?key=client');
      await page.getByRole('row').filter({ hasText: name }).filter({ hasText: '10 B' }).getByText('client').waitFor();
      await expectAccessibleLooks(page, 'files-admin');
      expect(await page.getByRole('main').getByRole('button', { name: 'Delete' }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0);
      await page.getByLabel('Purpose').selectOption('vision');
      await shows(page, 'No file matches these filters');
      expect(new URL(page.url()).search).toBe('?key=client&purpose=vision');
    });
    await visit(KEY, async (page) => {
      await open(page, 'files');
      const row = page.getByRole('row').filter({ hasText: name });
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        row.getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(await readFile(await download.path(), 'utf8')).toBe('some notes');
      await row.getByRole('button', { name: 'Delete' }).click();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click();
      await shows(page, 'File deleted');
      await shows(page, 'No files yet');
    });
    expect(await stack().call('GET', '/v1/files')).toMatchObject({ data: [] });
  });

  it('plays a video, shows images, and downloads files, also for the admin key', async () => {
    for (const key of [KEY, ADMIN_KEY]) {
      await visit(key, async (page) => {
        await open(page, `tasks/${stack().tasks.image}`);
        await page.getByRole('img', { name: 'Result 1' }).waitFor();
        const width = 'document.querySelector("main img")?.naturalWidth ?? 0';
        await expect.poll(() => page.evaluate(width)).toBeGreaterThan(0);
        await open(page, `tasks/${stack().tasks.original}`);
        await expect.poll(() => page.evaluate('document.querySelector("video")?.readyState ?? 0')).toBeGreaterThan(0);
        const download = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Download file 1' }).click();
        expect((await download).suggestedFilename()).toBe(`${stack().tasks.original}.mp4`);
      });
    }
  });

  it('shows the vendor’s job to operators only', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, `tasks/${stack().tasks.original}`);
      await page.getByRole('region', { name: 'At the vendor' }).getByText('Job').waitFor();
    });
    await visit(KEY, async (page) => {
      await open(page, `tasks/${stack().tasks.original}`);
      await page.getByRole('region', { name: 'Steps' }).waitFor();
      expect(await page.getByRole('region', { name: 'At the vendor' }).count()).toBe(0);
    });
  });

  it('shows the lineage of remixes', async () => {
    await visit(KEY, async (page) => {
      await open(page, `tasks/${stack().tasks.original}`);
      await page.getByRole('region', { name: 'Lineage' }).getByRole('link', { name: stack().tasks.remix }).click();
      await page.getByRole('region', { name: 'Lineage' }).getByRole('link', { name: stack().tasks.original }).waitFor();
      await open(page, `gallery?remixed_from=${stack().tasks.original}`);
      await shows(page, 'The boat at night');
      expect(await page.locator('main li').count()).toBe(1);
    });
  });

  it('shows markup of prompts as text', async () => {
    await visit(KEY, async (page) => {
      await open(page, 'gallery');
      await shows(page, MARKUP);
      await open(page, `tasks/${stack().tasks.original}`);
      await shows(page, MARKUP);
      expect(await page.locator('img[src="x"]').count()).toBe(0);
    });
  });

  it('lets the holder cancel an open task', async () => {
    const id = await stack().video('Another slow river [stall]');
    await visit(KEY, async (page) => {
      await open(page, `tasks/${id}`);
      await page.getByRole('button', { name: 'Cancel task' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }).click();
      await shows(page, 'Cancelation requested');
      const status = async () => (await stack().call('GET', `/v1/tasks/${id}`))['status'];
      await expect.poll(status).toMatch(/^cancel/);
      expect(await page.getByRole('button', { name: 'Resubmit' }).count()).toBe(0);
    });
  });

  it('lets an operator fail a lost submission, with a warning', async () => {
    const id = await lostTask();
    await visit(ADMIN_KEY, async (page) => {
      await open(page, `tasks/${id}`);
      await page.getByRole('button', { name: 'Fail', exact: true }).click();
      await shows(page, 'The job at the vendor continues to run');
      await expectAccessible(page);
      await page.getByLabel('Reason').fill(`The vendor lost it. ${MARKUP}`);
      await page.getByLabel('Your name').fill('ana');
      await page.getByRole('dialog').getByRole('button', { name: 'Fail', exact: true }).click();
      await shows(page, `The vendor lost it. ${MARKUP}`);
      await shows(page, 'by ana');
    });
    expect(JSON.stringify(await stack().call('GET', `/v1/tasks/${id}`))).not.toContain('ana"');
  });

  it('lets an operator resubmit only after a confirmation, and adopt a job', async () => {
    const id = await lostTask();
    await visit(ADMIN_KEY, async (page) => {
      await open(page, `tasks/${id}`);
      await page.getByRole('button', { name: 'Resubmit', exact: true }).click();
      await shows(page, 'may run and bill this task twice');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Resubmit', exact: true }).click();
      expect(await dialog.isVisible()).toBe(true);
      await dialog.getByRole('checkbox').check();
      await dialog.getByRole('button', { name: 'Resubmit', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      const attempt = async () => (await stack().call('GET', `/v1/tasks/${id}`))['attempt'];
      await expect.poll(attempt).toBe(2);
      await page.getByRole('button', { name: 'Adopt a job' }).click({ timeout: 20_000 });
      await dialog.getByLabel("Id of the vendor's job").fill('job-7');
      await dialog.getByRole('button', { name: 'Adopt a job' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('region', { name: 'At the vendor' }).getByText('job-7').waitFor();
    });
  });

  it('opens the tasks of a state from the overview', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, '');
      const failed = page
        .getByRole('region', { name: 'Tasks' })
        .getByRole('term')
        .filter({ hasText: /^Failed$/ });
      await failed.locator('..').getByRole('link').click();
      await page.getByRole('cell', { name: 'sandbox-video' }).first().waitFor();
      expect(new URL(page.url()).search).toBe('?status=failed');
    });
  });
});
