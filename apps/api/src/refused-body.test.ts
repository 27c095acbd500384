import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../test/api-rig.ts';
import { auth, png, prompt } from '../test/bad-request.ts';
import { field, file, head, multipartRequest, PNG, rawHttp } from '../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

describe('a client that disconnects', () => {
  const complete = multipartRequest(KEYS.alice, [file('input_reference'), field(...prompt)]);

  it.each([
    ['during a file', complete.subarray(0, -150)],
    ['after a file, during a field', complete.subarray(0, -12)],
    ['before the last byte of the form', complete.subarray(0, -5)],
    ['during JSON', Buffer.concat([head(KEYS.alice, 'application/json', 'content-length: 99'), Buffer.from('{')])],
  ])('creates no task and leaves no file: %s', async (_title, bytes) => {
    const before = rig.logs().length;
    await rawHttp(rig.port, [bytes], true);
    await expect.poll(() => rig.logs().slice(before)).toContain('"aborted":true');
    await expect.poll(() => rig.storedFiles()).toEqual([]);
    expect(await rig.taskIds()).toEqual([]);
  });
});

it('creates no task if a client disconnects after its last byte, before its video is recorded', async () => {
  const controller = new AbortController();
  const slow = await apiRig({
    // The client disconnects during a slow write.
    beforeWrite: async () => {
      controller.abort();
      await expect.poll(() => slow.logs()).toContain('"aborted":true');
    },
  });
  try {
    const body = JSON.stringify({ prompt: 'a', input_reference: `data:image/png;base64,${PNG.toString('base64')}` });
    const headers = { ...auth, 'content-type': 'application/json' };
    const response = slow.call('/v1/videos', { method: 'POST', body, headers, signal: controller.signal });
    await expect(response).rejects.toThrow();
    await expect.poll(() => slow.removed).toHaveLength(1);
    expect(await slow.storedFiles()).toEqual([]);
    expect(await slow.taskIds()).toEqual([]);
  } finally {
    await slow.close();
  }
});

describe('a rejected body', () => {
  it.concurrent.each([
    ['without a valid key', head('sk-wrong', 'multipart/form-data; boundary=b', 'content-length: 15000'), 401],
    [
      'whose declared length is too large',
      head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 999999999'),
      413,
    ],
    [
      'of JSON whose declared length is too large',
      head(KEYS.alice, 'application/json', 'content-length: 999999999'),
      413,
    ],
    ['of another type', head(KEYS.alice, 'text/plain', 'content-length: 3000'), 415],
  ])('gets its response early, and its sender is disconnected soon: %s', async (_title, start, status) => {
    // Without `connection: close`, the server must close the connection itself.
    const persistent = start.toString().replace('connection: close', 'connection: keep-alive');
    const response = await rawHttp(rig.port, [persistent, 'only the beginning']);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-should-retry')).toBe('false');
    // The removal of files from earlier tests may still be in progress.
    await vi.waitFor(async () => expect(await rig.storedFiles()).toEqual([]), 30_000);
  });

  it('keeps the connection if the rest arrives soon', async () => {
    const start = head('sk-wrong', 'application/json', 'content-length: 2')
      .toString()
      .replace('connection: close\r\n', '');
    const next = `GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
    const { text } = await rawHttp(rig.port, [start, '{}', next]);
    expect(text).toMatch(/^HTTP\/1\.1 401 [^]*HTTP\/1\.1 200 OK/);
  });

  it('reaches a client that sends everything before it reads', async () => {
    const rest = Buffer.alloc(4_000_000, 'x');
    const start = head('sk-wrong', 'multipart/form-data; boundary=b', `content-length: ${rest.byteLength}`);
    expect((await rawHttp(rig.port, [start, rest])).status).toBe(401);
  });

  it('is not requested from a client that sends `expect: 100-continue`', async () => {
    const wait = 'expect: 100-continue';
    const refused = await rawHttp(rig.port, [head('sk-wrong', 'application/json', 'content-length: 14', wait)]);
    expect(refused.text).toMatch(/^HTTP\/1\.1 401 /);
    const body = '{"prompt": ""}';
    const accepted = await rawHttp(rig.port, [head(KEYS.alice, 'application/json', 'content-length: 14', wait), body]);
    expect(accepted.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });
});

describe('the video of another key', () => {
  it('does not exist: no other key reads, lists, downloads, cancels, or deletes it', async () => {
    const other = await apiRig();
    try {
      const mine = await other.createdId();
      const headers = { authorization: `Bearer ${KEYS.bob}` };
      for (const [method, at] of [
        ['GET', ''],
        ['HEAD', ''],
        ['DELETE', ''],
        ['POST', '/cancel'],
        ['GET', '/content'],
      ] as const) {
        const response = await other.call(`/v1/videos/${mine}${at}`, { method, headers });
        expect(response.status, `${method} ${at}`).toBe(404);
        if (method !== 'HEAD') expect(await response.json()).toMatchObject({ error: { code: 'video_not_found' } });
      }
      expect(await (await other.call('/v1/videos', { headers })).json()).toMatchObject({ data: [] });
      expect(await (await other.call(`/v1/videos/${mine}`)).json()).toMatchObject({ id: mine, status: 'queued' });
    } finally {
      await other.close();
    }
  });

  it('is not returned for another body under a used Idempotency-Key', async () => {
    const other = await apiRig();
    try {
      const key = { 'idempotency-key': 'order-1' };
      expect((await other.create({ prompt: 'one' }, key)).status).toBe(200);
      const response = await other.create({ prompt: 'two' }, key);
      expect(response.status).toBe(422);
      expect(response.headers.get('x-should-retry')).toBe('false');
      expect(await response.json()).toMatchObject({
        error: { code: 'idempotency_key_reused', param: 'Idempotency-Key', type: 'invalid_request_error' },
      });
      const data = new FormData();
      data.set('prompt', 'one');
      data.set('input_reference', png, 'a.png');
      const upload = await other.call('/v1/videos', { method: 'POST', body: data, headers: { ...auth, ...key } });
      expect(upload.status).toBe(422);
      expect(await other.storedFiles()).toEqual([]);
      expect(await other.taskIds()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});
