import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { ROOT } from '../processes.ts';
import { KEY } from '../stack.ts';
import { CHROMIUM, expectAccessible, expectAccessibleLooks, takeScreenshot } from './browser.ts';
import { ADMIN_KEY, MARKUP } from './console-stack.ts';
import { say, usePlayground } from './playground-screen.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const title = `playground and setup${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`;
const run = promisify(execFile);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const IMAGE = { name: 'pixel.png', mimeType: 'image/png', buffer: PNG };

/** Runs a module that imports the SDKs. @returns its output */
async function runModule(code: string, cwd: string): Promise<string> {
  // Node looks for packages in the folders above the file.
  const file = path.join(ROOT, 'e2e', `snippet-${randomUUID()}.mjs`);
  await writeFile(file, code);
  try {
    return (await run(process.execPath, [file], { cwd, env: { ...process.env, SLUICE_KEY: KEY } })).stdout.trim();
  } finally {
    await rm(file);
  }
}

const lane = (page: Page, model: string): Locator => page.getByRole('region', { name: `Conversation with ${model}` });

async function setTools(page: Page, options: { stream?: boolean } = {}): Promise<void> {
  await page.getByText('Options', { exact: true }).click();
  await page.getByLabel('Tools', { exact: true }).check();
  await page.getByLabel('Reasoning').selectOption('low');
  if (options.stream === false) await page.getByLabel('Streaming').uncheck();
}

describe.skipIf(CHROMIUM === undefined)(title, () => {
  const { stack, open } = usePlayground();

  it.each(Object.entries({ admin: ADMIN_KEY, holder: KEY }))('is accessible to the %s', async (role, key) => {
    await using visitor = await open('playground?model=sandbox-chat&model2=sandbox-messages', key);
    const { page } = visitor;
    const check = (screen: string): Promise<void> => expectAccessibleLooks(page, `${screen}-${role}`);
    await setTools(page);
    await say(page, '[think] Which city is windy? [tool:get_weather {"city":"Chicago"}]');
    await expect.poll(() => page.getByLabel('Result of get_weather').count()).toBe(2);
    await page.getByText('Copy as code').first().click();
    await page.getByText('Raw', { exact: true }).first().click();
    await check('playground-chat');
    await page.getByRole('radio', { name: 'Video' }).click();
    await page.getByLabel('Prompt').fill('A paper boat in the rain.');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('video').waitFor();
    await check('playground-video');
    await page.getByRole('radio', { name: 'Images' }).click();
    await page.getByLabel('Prompt').fill('A poster that says OPEN.');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('img', { name: 'Result 1' }).waitFor();
    await check('playground-image');
    await page.goto(`${stack().origin}/console/setup`);
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByText(/→ .* tokens$/).waitFor();
    await check('setup');
  });

  it.each(['operator', 'viewer'] as const)('is not offered to the role %s', async (role) => {
    await using visitor = await open('playground', ADMIN_KEY, role);
    await visitor.page.getByText('Your role cannot call models').waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Send' }).count()).toBe(0);
  });

  it('sends no message while a tool call waits for its result', async () => {
    await using visitor = await open('playground?model=sandbox-chat');
    const { page } = visitor;
    await setTools(page);
    await say(page, 'Which city is windy? [tool:get_weather {"city":"Chicago"}]');
    await page.getByText('The model waits for the result of get_weather.').waitFor();
    await say(page, 'And Oslo?');
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('And Oslo?');
    await takeScreenshot(page, 'playground-waits');
    await expectAccessible(page);
    await page.getByLabel('Result of get_weather').fill('windy');
    await page.getByRole('button', { name: 'Send result' }).click();
    await page.getByText('The model waits for').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
  });

  it.each([
    ['chat', 'Chat completions', '/v1/chat/completions'],
    ['responses', 'Responses', '/v1/responses'],
    ['messages', 'Messages', '/v1/messages'],
    ['generate', 'generateContent', '/v1beta/models/sandbox-messages'],
  ])('shows text, reasoning, tools, and images over %s', async (id, protocol, at) => {
    for (const stream of [true, false]) {
      await using visitor = await open('playground?model=sandbox-messages');
      const { page } = visitor;
      await page.getByLabel('Protocol').selectOption(protocol);
      if (id !== 'chat') expect(new URL(page.url()).searchParams.get('protocol')).toBe(id);
      await setTools(page, { stream });
      await page.getByLabel('Images', { exact: true }).setInputFiles(IMAGE);
      await page.getByRole('img', { name: 'Attached image 1' }).waitFor();
      const sent = page.waitForRequest((request) => request.url().includes(at));
      await say(page, '[think] Weather? [tool:get_weather {"city":"Oslo"}]');
      expect((await sent).postData()).toContain('iVBORw0KGgo');
      const own = lane(page, 'sandbox-messages');
      await own.getByRole('group', { name: 'Arguments of get_weather' }).waitFor();
      expect(await own.getByRole('group', { name: 'Arguments of get_weather' }).textContent()).toContain('Oslo');
      await own.getByText('Reasoning', { exact: true }).waitFor();
      await own.getByLabel('Result of get_weather').fill('rain, 7 degrees');
      await own.getByRole('button', { name: 'Send result' }).click();
      await own.locator('p', { hasText: 'rain, 7 degrees' }).nth(1).waitFor();
      await own.getByText('Raw', { exact: true }).click();
      await own.getByRole('radio', { name: 'Headers' }).click();
      expect(await own.getByRole('group', { name: 'headers' }).textContent()).toContain(
        'x-sluice-upstream: sandbox-messages',
      );
      await own.getByRole('radio', { name: stream ? 'Events' : 'Body' }).click();
      expect(await own.getByRole('group', { name: stream ? 'events' : 'body' }).textContent()).toMatch(
        stream ? /data: / : /^\{/,
      );
      await own.getByRole('radio', { name: 'Request' }).click();
      expect(await own.getByRole('group', { name: 'request' }).textContent()).toContain(`POST ${at}`);
    }
  });

  it.each(['chat', 'responses', 'messages', 'generate'])('copies %s as code that runs', async (protocol) => {
    await using visitor = await open(`playground?model=sandbox-chat&protocol=${protocol}`);
    const { page } = visitor;
    await say(page, "Don't panic");
    await page.getByText(/→ .* tokens$/).waitFor();
    await page.getByText('Copy as code').click();
    const env = { ...process.env, SLUICE_KEY: KEY };
    const curl = await page.getByRole('group', { name: 'curl code' }).textContent();
    expect((await run('bash', ['-c', `${curl} -sS --fail-with-body`], { env })).stdout).toContain('data: ');
    await page.getByRole('radio', { name: 'TypeScript' }).click();
    const code = (await page.getByRole('group', { name: 'TypeScript code' }).textContent()) ?? '';
    expect(code).not.toContain(KEY);
    expect((await runModule(code, stack().dir)).split('\n').length).toBeGreaterThan(1);
    await page.getByRole('radio', { name: 'Python' }).click();
    const python = (await page.getByRole('group', { name: 'Python code' }).textContent()) ?? '';
    await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', python]).catch((error: unknown) => {
      // Without Python, its syntax is not checked.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });
  });

  it.each([
    ['image', 'sandbox-image', 'Prompt', undefined],
    ['video', 'sandbox-video', 'Prompt', 'video.mp4'],
    ['speech', 'sandbox-speech', 'Text', 'speech.mp3'],
  ])('copies a request for %s as code that runs', async (mode, model, field, stored) => {
    await using visitor = await open(`playground?mode=${mode}&model=${model}`);
    const { page } = visitor;
    await page.getByLabel(field, { exact: true }).fill('A paper boat.');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Copy as code').click();
    await page.getByRole('radio', { name: 'TypeScript' }).click();
    const code = (await page.getByRole('group', { name: 'TypeScript code' }).textContent()) ?? '';
    const output = await runModule(code, stack().dir);
    if (stored === undefined) expect(output).toContain('http');
    else expect((await stat(path.join(stack().dir, stored))).size).toBeGreaterThan(100);
  });

  it('opens a request in the list of requests', async () => {
    await using visitor = await open('playground?model=sandbox-chat');
    const { page } = visitor;
    await say(page, 'Hello');
    await page.getByText(/→ .* tokens$/).waitFor();
    await page.getByText('Raw', { exact: true }).click();
    await page.getByRole('link', { name: 'Open in requests' }).click();
    await page.getByRole('cell', { name: 'sandbox-chat' }).first().waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  it('sends the same message to two models, stops them, and clears them', async () => {
    await using visitor = await open('playground?model=sandbox-chat');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByLabel('Second model').fill('sandbox-responses');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('model2')).toBe('sandbox-responses');
    await say(page, 'Hello [long:20000] [drip:50]');
    await expect.poll(async () => (await lane(page, 'sandbox-responses').textContent())?.length).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    expect(await lane(page, 'sandbox-chat').getByRole('button', { name: 'Run again' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.getByText('Enter a message below.').count()).toBe(2);
    await page.getByRole('button', { name: 'One model' }).click();
    await expect.poll(() => page.getByRole('region', { name: /^Conversation/ }).count()).toBe(1);
  });

  it('explains errors, keeps the turn, and shows markup as text', async () => {
    await using visitor = await open(`playground?model=${encodeURIComponent(MARKUP)}`);
    const { page, problems } = visitor;
    await say(page, MARKUP);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain(MARKUP);
    await page.getByLabel('Model', { exact: true }).fill('sandbox-chat');
    await page.keyboard.press('Enter');
    await lane(page, 'sandbox-chat').getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/→ .* tokens$/).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await say(page, 'now [error]');
    await page.getByRole('alert').waitFor();
    // The browser reports the status of the unknown model.
    expect(problems.splice(0).filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('refuses invalid options before a request', async () => {
    await using visitor = await open('playground?model=sandbox-chat');
    const { page } = visitor;
    await setTools(page);
    await page.getByLabel('Tools, as JSON').fill('[{');
    await say(page, 'Hello');
    await page.getByText('Tools must be JSON. Check quotes and commas.').waitFor();
    await page.getByLabel('Tools, as JSON').fill('[]');
    await page.getByLabel('Temperature').fill('warm');
    await say(page, 'Hello');
    await page.getByText('Temperature must be a number.').waitFor();
  });

  it('generates images from an image, a video from a frame, and cancels a video', async () => {
    await using visitor = await open('playground?mode=image&model=sandbox-image');
    const { page } = visitor;
    await page.getByLabel('Prompt').fill('Make it night.');
    await page.getByLabel('Number of images').fill('2');
    await page.getByLabel('Input image (optional)').setInputFiles(IMAGE);
    await page.getByRole('button', { name: 'Run' }).click();
    const image = page.getByRole('img', { name: 'Result 2' });
    await image.waitFor();
    await expect
      .poll(() => image.evaluate((element) => Number(Reflect.get(element, 'naturalWidth'))))
      .toBeGreaterThan(0);
    await page.goto(`${stack().origin}/console/playground?mode=video&model=sandbox-video`);
    await page.getByLabel('Prompt').fill('A boat.');
    await page.getByLabel('First frame (optional)').setInputFiles(IMAGE);
    await page.getByRole('button', { name: 'Run' }).click();
    const video = page.locator('video');
    await video.waitFor();
    await expect.poll(() => video.evaluate((element) => Number(Reflect.get(element, 'readyState')))).toBeGreaterThan(0);
    await page.getByLabel('Prompt').fill('A boat. [slow:60]');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: /^video_/ }).click();
    await page.getByRole('heading', { level: 1, name: 'sandbox-video' }).waitFor();
  });

  it('speaks a text, and transcribes the recording', async () => {
    await using visitor = await open('playground?mode=speech&model=sandbox-speech');
    const { page } = visitor;
    await page.getByLabel('Text', { exact: true }).fill('The kite flies.');
    await page.getByLabel('Format').selectOption('wav');
    await page.getByRole('button', { name: 'Run' }).click();
    const audio = page.locator('audio');
    await audio.waitFor();
    await expect.poll(() => audio.evaluate((element) => Number(Reflect.get(element, 'duration')))).toBeGreaterThan(0);
    const spoken = await fetch(`${stack().baseUrl}/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-speech', input: 'The kite flies.', voice: 'ash', response_format: 'wav' }),
    });
    await page.getByRole('radio', { name: 'Transcription' }).click();
    const file = { name: 'kite.wav', mimeType: 'audio/wav', buffer: Buffer.from(await spoken.arrayBuffer()) };
    await page.getByLabel('Audio file').setInputFiles(file);
    await page.getByRole('button', { name: 'Run' }).click();
    await page
      .getByRole('region', { name: /^Result of/ })
      .getByText('kite')
      .first()
      .waitFor();
  });
});
