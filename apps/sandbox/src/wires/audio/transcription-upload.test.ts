import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { wavHeader } from '../../media/audio/wav-header.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const call = wireCaller(() => sandbox.url, {});
const FIELD = '--xx\r\ncontent-disposition: form-data; name=';
const FILE = `${FIELD}"file"; filename="a.wav"\r\n\r\n`;
const [MEBIBYTE, MEBIBYTES] = [1024 ** 2, 200];

function upload(form: AsyncIterable<Uint8Array>, key = 'sk-sandbox', signal?: AbortSignal) {
  return fetch(`${sandbox.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=xx' },
    body: ReadableStream.from(form),
    duplex: 'half',
    ...(signal && { signal }),
  });
}

async function* endless(prompt: string) {
  yield Buffer.from(`${FIELD}"prompt"\r\n\r\n${prompt}\r\n${FILE}`);
  for (;;) {
    yield Buffer.alloc(1000);
    await sleep(10);
  }
}

it('reads 200 MB in constant memory', async () => {
  const before = process.memoryUsage().rss;
  let max = 0;
  async function* form() {
    yield Buffer.concat([Buffer.from(FILE), wavHeader((MEBIBYTES * MEBIBYTE) / 2)]);
    // One chunk is reused, so that the measured memory does not include the client's.
    const chunk = Buffer.alloc(MEBIBYTE);
    for (let sent = 0; sent < MEBIBYTES; sent += 1) {
      yield chunk;
      max = Math.max(max, process.memoryUsage().rss);
    }
    yield Buffer.from(`\r\n${FIELD}"model"\r\n\r\nm\r\n--xx--\r\n`);
  }
  expect(await (await upload(form())).json()).toMatchObject({ text: '(4369.067 s of audio/wav)' });
  expect((max - before) / MEBIBYTE).toBeLessThan(170);
});

it.each([
  ['[401]', 'sk-sandbox'],
  ['x', 'sk-other'],
])('responds to the prompt %s with the key %s before the file is read', async (prompt, key) => {
  const response = await upload(endless(prompt), key);
  expect(response.status).toBe(401);
  await response.body?.cancel();
});

it('logs a client that left during the upload', async () => {
  await call('GET', '/_sandbox/requests?clear=1');
  const closeSignal = new AbortController();
  const response = upload(endless('x'), 'sk-sandbox', closeSignal.signal);
  setTimeout(() => closeSignal.abort(), 100);
  await expect(response).rejects.toThrow();
  await vi.waitFor(async () => {
    const { body } = await call('GET', '/_sandbox/requests');
    expect(at(body, 'requests.0')).toMatchObject({ left: true, status: null });
  }, 10_000);
});
