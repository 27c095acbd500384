import { request as httpRequest } from 'node:http';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { KEY } from '../stack.ts';
import { type AudioStack, startAudioStack } from './audio-stack.ts';

let stack: AudioStack;
beforeAll(async () => {
  stack = await startAudioStack();
  // The warm-up loads and compiles code, so that the code's memory is not measured as a leak.
  await speak('warm up').then((response) => response.arrayBuffer());
  await upload(['model'], 4);
  await upload([], 4);
}, 60_000);
afterAll(() => stack.close());
beforeEach(() => fetch(`${stack.sandboxUrl}/_sandbox/requests?clear=1`));

const MEBIBYTE = 1024 ** 2;
/** Maximum memory growth in MiB, independent of the size of the transfer. */
const MAX_GROWTH = 100;
const AUTHORIZED = { authorization: `Bearer ${KEY}` };

function speak(input: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${stack.baseUrl}/audio/speech`, {
    method: 'POST',
    headers: { ...AUTHORIZED, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', input, voice: 'ash', response_format: 'wav' }),
    ...(signal && { signal }),
  });
}

const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';

/** Generates a form with an audio file. The fields in `early` come before the file, and all others after it. */
async function* form(early: string[], mebibytes: number): AsyncGenerator<Buffer> {
  const model = field('model', 'whisper-1');
  yield Buffer.from((early.includes('model') ? model : '') + FILE);
  const wav = Buffer.alloc(MEBIBYTE);
  wav.write('RIFF\xff\xff\xff\xffWAVE', 'latin1');
  for (let at = 0; at < mebibytes; at += 1) yield at === 0 ? wav : Buffer.alloc(MEBIBYTE, 1);
  yield Buffer.from(`\r\n${early.includes('model') ? '' : model}--b--\r\n`);
}

function post(body: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<Response> {
  return fetch(`${stack.baseUrl}/audio/transcriptions`, {
    method: 'POST',
    headers: { ...AUTHORIZED, 'content-type': 'multipart/form-data; boundary=b' },
    // The cast is needed because Node's stream type differs from the web's.
    body: Readable.toWeb(Readable.from(body)) as ReadableStream<Uint8Array>,
    duplex: 'half',
    ...(signal && { signal }),
  });
}

async function upload(early: string[], mebibytes: number): Promise<string> {
  const response = await post(form(early, mebibytes));
  const { text } = (await response.json()) as { text: string };
  return text;
}

/** Returns the API's maximum memory growth during `work`, in MiB. */
async function maxGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = stack.apiMebibytes();
  let max = 0;
  const watch = setInterval(() => (max = Math.max(max, stack.apiMebibytes() - before)), 20);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  process.stderr.write(`API: ${Math.round(before)} MiB plus at most ${Math.round(max)} MiB\n`);
  return max;
}

describe('memory does not grow', () => {
  it.each([
    ['is forwarded at once', ['model']],
    ['is stored on disk until its model is known', []],
  ])('while an upload of 200 MiB %s', { timeout: 120_000 }, async (_title, early) => {
    const growth = await maxGrowth(async () => expect(await upload(early, 200)).toMatch(/wav/));
    expect(growth).toBeLessThan(MAX_GROWTH);
    const [seen] = await stack.seen();
    expect(JSON.stringify(seen?.body)).toContain(String(200 * MEBIBYTE));
  });

  it('while a client reads 300 MiB of speech', { timeout: 120_000 }, async () => {
    let bytes = 0;
    const growth = await maxGrowth(async () => {
      const response = await speak('kite [long:300]');
      for await (const chunk of response.body ?? []) bytes += chunk.length;
    });
    expect(bytes).toBe(300 * MEBIBYTE + 44);
    expect(growth).toBeLessThan(MAX_GROWTH);
  });

  it('while a client does not read started speech', async () => {
    const leaving = new AbortController();
    const growth = await maxGrowth(async () => {
      const response = await speak('kite [long:100000]', leaving.signal);
      const reader = response.body?.getReader();
      await reader?.read();
      await sleep(1_000);
    });
    leaving.abort();
    expect(growth).toBeLessThan(MAX_GROWTH);
  });

  it('and uploads leave no file', async () => {
    const spool = await readdir(path.join(stack.dir, 'data', 'content', 'spool'));
    expect(spool).toEqual([]);
  });
});

/** Generates an upload that never ends. */
async function* endless(): AsyncGenerator<Buffer> {
  yield Buffer.from(field('model', 'whisper-1') + FILE);
  for (;;) {
    yield Buffer.alloc(64 * 1024, 1);
    await sleep(5);
  }
}

/** Generates a form whose last field is invalid. */
async function* invalidForm(): AsyncGenerator<Buffer> {
  for await (const chunk of form(['model'], 8)) {
    yield chunk.includes('--b--') ? Buffer.from(`\r\n${field('temperature', 'hot')}--b--\r\n`) : chunk;
  }
}

describe('when one side disconnects, the other is closed immediately:', () => {
  it('a listener disconnects', async () => {
    const leaving = new AbortController();
    const response = await speak('kite [long:100000]', leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    await vi.waitFor(async () => expect(await stack.seen()).toMatchObject([{ wire: 'audio', left: true }]), 30_000);
  });

  it('an uploader disconnects', async () => {
    const leaving = new AbortController();
    const response = post(endless(), leaving.signal);
    await vi.waitFor(async () => expect(await stack.seen()).toHaveLength(1), 30_000);
    leaving.abort();
    await expect(response).rejects.toThrow();
    await vi.waitFor(async () => expect(await stack.seen()).toMatchObject([{ wire: 'audio', left: true }]), 30_000);
  });

  it('a field after the audio is invalid', async () => {
    const response = await post(invalidForm());
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param: 'temperature' } }]);
    await vi.waitFor(async () => expect(await stack.seen()).toMatchObject([{ left: true }]), 30_000);
  });

  it('the upstream is cut off during speech', async () => {
    const response = await speak('kite kite kite kite [cut]');
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('the upstream rejects an upload early; the client receives the response before the upload ends', async () => {
    const sent = httpRequest(`${stack.baseUrl}/audio/transcriptions`, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'multipart/form-data; boundary=b' },
    });
    sent.on('error', () => undefined);
    const status = new Promise((resolve) => sent.once('response', (response) => resolve(response.statusCode)));
    sent.write(field('model', 'unknown-voice') + FILE);
    sent.write(Buffer.alloc(64 * 1024, 1));
    expect(await status).toBe(404);
    sent.destroy();
  });
});
