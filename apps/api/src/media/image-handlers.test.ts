import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ImageRequest } from '@sluice/canonical';
import { TINY_PNG } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

/** Has an odd number of bytes and spans several chunks, so that the base64 encoder has to buffer a remainder. */
const LARGE_PNG = Buffer.concat([TINY_PNG, Buffer.alloc(700_001, 7)]);
const refused = { code: 'content_policy', message: 'The second is not for everybody.' } as const;

/** The last request that the vendor received. */
let submitted: ImageRequest | undefined;
let rig: ApiRig;
/** Without workers, and with a short wait. */
let idleRig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({
    script: {
      submit({ request }) {
        if (request.kind !== 'image') return undefined;
        submitted = request;
        const { prompt = '' } = request;
        if (prompt === 'refused') return { kind: 'rejected', code: 'content_policy', message: 'Not this.' };
        if (prompt === 'slow') return undefined;
        const images = Array.from({ length: request.n ?? 1 }, () => ({ bytes: LARGE_PNG, revisedPrompt: 'finer' }));
        return {
          kind: 'returned',
          outputs: prompt === 'partial' ? [{ bytes: LARGE_PNG }, { error: refused }] : images,
        };
      },
      poll: () => ({ kind: 'running', progress: 10 }),
    },
    images: true,
    config: { timeouts: { image_wait_ms: 20_000 } },
  });
  await rig.tasks.startWorker();
  idleRig = await apiRig({ images: true, config: { timeouts: { image_wait_ms: 100 } } });
});
afterAll(async () => {
  await Promise.all([rig.close(), idleRig.close()]);
});

interface ImageJson {
  id?: string;
  object?: string;
  status?: string;
  data?: { url?: string; b64_json?: string; revised_prompt?: string }[];
  failed?: unknown[];
  error?: { code: string; message: string };
}

async function generate(
  fields: object,
  { at = rig, headers = {} }: { at?: ApiRig; headers?: Record<string, string> } = {},
) {
  const response = await at.call('/v1/images/generations', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'image', ...fields }),
  });
  return { response, body: (await response.json()) as ImageJson };
}

describe('POST /v1/images/generations', () => {
  it('returns URLs of this gateway that need no key once the images are complete', async () => {
    const { response, body } = await generate({ prompt: 'a poster', n: 2, size: '1024x1024' });
    expect(response.status).toBe(200);
    expect(body.data?.map(({ revised_prompt }) => revised_prompt)).toEqual(['finer', 'finer']);
    expect(submitted).toMatchObject({ kind: 'image', prompt: 'a poster', n: 2, size: '1024x1024' });
    const [, second] = body.data ?? [];
    expect(second?.url).toMatch(new RegExp(`^${rig.origin}/v1/images/generations/image_\\w+/content/1\\?`));
    const file = await fetch(second?.url ?? '');
    expect(file.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await file.arrayBuffer()).equals(LARGE_PNG)).toBe(true);
  });

  it('returns base64 that equals the file', async () => {
    const { response, body } = await generate({ prompt: 'a poster', n: 3, response_format: 'b64_json' });
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(2_500_000);
    for (const { b64_json, url } of body.data ?? []) {
      expect(url).toBeUndefined();
      expect(Buffer.from(b64_json ?? '', 'base64').equals(LARGE_PNG)).toBe(true);
    }
    expect(body.data).toHaveLength(3);
  });

  it('disconnects a client that does not read, and stops reading the files', async () => {
    const before = rig.opened.length;
    // The cast is safe because a TCP server emits sockets.
    const connection = once(rig.app.server, 'connection') as Promise<[Socket]>;
    const reader = connect(rig.port, '127.0.0.1').on('error', () => undefined);
    const body = JSON.stringify({ model: 'image', prompt: 'many posters', n: 10, response_format: 'b64_json' });
    const head = [
      `authorization: Bearer ${KEYS.alice}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    ];
    reader.pause().write(['POST /v1/images/generations HTTP/1.1', 'host: x', ...head, '', body].join('\r\n'));
    const [socket] = await connection;
    await expect.poll(() => socket.timeout).toBe(60_000);
    socket.setTimeout(50); // Simulates the server's timeout of one minute.
    await expect.poll(() => socket.destroyed).toBe(true);
    await expect.poll(() => rig.opened.slice(before).every(({ closed }) => closed)).toBe(true);
    reader.destroy();
  });

  it('accepts a DashScope request', async () => {
    const { body } = await generate({
      input: { messages: [{ role: 'user', content: [{ text: 'a poster that says OPEN' }] }] },
      parameters: { negative_prompt: 'blurry', size: '1328*1328', prompt_extend: true, watermark: false },
    });
    expect(body.data).toHaveLength(1);
    expect(submitted).toMatchObject({
      prompt: 'a poster that says OPEN',
      negativePrompt: 'blurry',
      size: '1328x1328',
      promptExtend: true,
      watermark: false,
    });
  });

  it('returns partial results with the reason for the missing ones', async () => {
    const { response, body } = await generate({ prompt: 'partial', n: 2 });
    expect(response.status).toBe(200);
    expect(body.data).toHaveLength(1);
    expect(body.failed).toEqual([{ index: 1, ...refused }]);
  });

  it('returns a rejection as an error that is not retryable', async () => {
    const { response, body } = await generate({ prompt: 'refused' });
    expect([response.status, body.error]).toMatchObject([400, { code: 'content_policy', message: 'Not this.' }]);
    expect(response.headers.get('x-should-retry')).toBe('false');
  });

  it('names the task on a timeout and forbids a retry', async () => {
    const { response, body } = await generate({ prompt: 'a poster' }, { at: idleRig });
    expect([response.status, body.error?.code]).toEqual([504, 'deadline_exceeded']);
    expect(response.headers.get('x-should-retry')).toBe('false');
    const at = response.headers.get('location') ?? '';
    expect(body.error?.message).toContain(at);
    const task = (await (await idleRig.call(at)).json()) as ImageJson;
    expect(task).toMatchObject({ object: 'image.task', status: 'queued' });
    expect(body.error?.message).toContain(task.id);
  });

  it('with Prefer: respond-async, returns the task at once and the images later', async () => {
    const { response, body } = await generate({ prompt: 'a poster' }, { headers: { prefer: 'respond-async' } });
    expect(response.status).toBe(202);
    expect(response.headers.get('preference-applied')).toBe('respond-async');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body).toMatchObject({ object: 'image.task', status: 'queued' });
    const retrieve = async () => (await (await rig.call(response.headers.get('location') ?? '')).json()) as ImageJson;
    await expect.poll(async () => (await retrieve()).data?.length).toBe(1);
  });

  it('with Prefer: wait, returns the task after the timeout', async () => {
    const { response, body } = await generate({ prompt: 'slow' }, { headers: { prefer: 'wait=1' } });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([202, 'wait=1']);
    expect(body).toMatchObject({ object: 'image.task', status: 'in_progress' });
  });

  it('returns the existing images to an SDK retry', async () => {
    const first = await generate({ prompt: 'repeated' }, { headers: { 'x-stainless-retry-count': '0' } });
    const again = await generate({ prompt: 'repeated' }, { headers: { 'x-stainless-retry-count': '1' } });
    expect(again.response.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
  });
});

describe('POST /v1/images/edits', () => {
  it('accepts several files and reports dropped fields', async () => {
    const form = new FormData();
    form.set('model', 'image-edit');
    form.set('prompt', 'make it night');
    for (const name of ['a.png', 'b.png']) form.append('image[]', new Blob([Buffer.from(TINY_PNG)]), name);
    const response = await rig.call('/v1/images/edits', { method: 'POST', body: form });
    expect(response.status).toBe(200);
    expect(submitted?.images.map(({ role }) => role)).toEqual(['reference', 'reference']);
    const files = await rig.storedFiles();
    form.set('mask', new Blob([Buffer.from(TINY_PNG)]), 'mask.png');
    const masked = await rig.call('/v1/images/edits', { method: 'POST', body: form });
    expect([masked.status, await masked.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_parameter', param: 'mask' } },
    ]);
    expect(await rig.storedFiles()).toEqual(files);
  });
});

describe('an image task', () => {
  it('is visible to its owner only, and never as a video', async () => {
    const { response } = await generate({ prompt: 'mine' });
    const at = response.headers.get('location') ?? '';
    const bob = { headers: { authorization: `Bearer ${KEYS.bob}` } };
    expect((await rig.call(at, bob)).status).toBe(404);
    expect((await rig.call(`${at}/content/0`, bob)).status).toBe(404);
    expect((await rig.call(`/v1/videos/${at.split('/').at(-1)}`)).status).toBe(404);
    for (const index of ['1', '-1', 'x', '00000001'])
      expect((await rig.call(`${at}/content/${index}`)).status).toBe(404);
    expect((await rig.call(`${at}/content/0`, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(LARGE_PNG.length),
    );
  });
});
