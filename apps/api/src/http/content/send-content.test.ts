import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { truncate, unlink } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../../test/api-rig.ts';
import { rawHttp } from '../../../test/raw-http.ts';

const CHUNK = 64 * 1024;
const CHUNKS = 128; // 8 MiB is more than all buffers between the file and a stalled reader
const VIDEO_FILE = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2avc1', 'latin1'),
  Buffer.alloc(CHUNK * CHUNKS - 28, 'video'),
]);

let rig: ApiRig;
let at: string;
let etag: string;
beforeAll(async () => {
  rig = await apiRig({
    script: {
      content: () => ({
        kind: 'opened',
        bytes: VIDEO_FILE.byteLength,
        body: (async function* bytes() {
          for (let i = 0; i < CHUNKS; i++) yield VIDEO_FILE.subarray(i * CHUNK, (i + 1) * CHUNK);
        })(),
      }),
    },
  });
  await rig.tasks.startWorker();
  at = await finished();
  etag = (await rig.call(at, { method: 'HEAD' })).headers.get('etag') ?? '';
});
afterAll(() => rig.close());

async function finished(): Promise<string> {
  const response = await rig.create({ prompt: `video ${Math.random()}` }, { prefer: 'wait=30' });
  // The cast is safe because every created video has an id and a status.
  const { id, status } = (await response.json()) as { id: string; status: string };
  expect(status).toBe('completed');
  return `/v1/videos/${id}/content`;
}

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  rig.call(at, { method, headers: { authorization: `Bearer ${KEYS.alice}`, ...headers } });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a finished video', () => {
  it('is sent with its length, type, name, and a strong validator, cacheable by this client only', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(VIDEO_FILE.byteLength),
      'accept-ranges': 'bytes',
      'cache-control': expect.stringContaining('private'),
      'content-disposition': expect.stringMatching(/^attachment; filename="video_\w+\.mp4"$/),
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    expect((await bytesOf(response)).equals(VIDEO_FILE)).toBe(true);
  });

  it('is sent to a client that also offers a WebSocket upgrade', async () => {
    const head = [`GET ${at} HTTP/1.1`, 'host: x', `authorization: Bearer ${KEYS.alice}`];
    const response = await rawHttp(rig.port, [
      [...head, 'upgrade: websocket', 'connection: upgrade, close', '', ''].join('\r\n'),
    ]);
    expect(response.body.length).toBe(VIDEO_FILE.byteLength);
  });

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, VIDEO_FILE.byteLength],
    ['bytes=-5', VIDEO_FILE.byteLength - 5, VIDEO_FILE.byteLength],
    ['bytes=70000-999999999', 70_000, VIDEO_FILE.byteLength],
  ])('is sent in part for Range: %s', async (range, start, end) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${VIDEO_FILE.byteLength}`);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    expect((await bytesOf(response)).equals(VIDEO_FILE.subarray(start, end))).toBe(true);
  });

  it.each(['bytes=0-1,5-6', 'bytes=9-3', 'lines=1-2', 'nonsense'])(
    'is sent completely for Range: %s',
    async (range) => {
      const response = await get({ range });
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).byteLength).toBe(VIDEO_FILE.byteLength);
    },
  );

  it('returns 416 with its length for a range past its end', async () => {
    const response = await get({ range: `bytes=${VIDEO_FILE.byteLength}-` });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${VIDEO_FILE.byteLength}`);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({ error: { code: 'range_not_satisfiable' } });
  });

  it('resumes a download only if the file is unchanged', async () => {
    const same = await get({ range: 'bytes=5-9', 'if-range': etag });
    expect(same.status).toBe(206);
    await same.arrayBuffer();
    for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      const response = await get({ range: 'bytes=5-9', 'if-range': other });
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).byteLength).toBe(VIDEO_FILE.byteLength);
    }
  });

  it('is not sent again to a client that has it', async () => {
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const response = await get({ 'if-none-match': known });
      expect(response.status, known).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await response.text()).toBe('');
    }
    const response = await get({ 'if-none-match': '"other"' }, 'HEAD');
    expect(response.status).toBe(200);
  });

  it('responds to HEAD with its length, and ignores ranges', async () => {
    const before = rig.opened.length;
    const response = await get({ range: 'bytes=0-9' }, 'HEAD');
    expect(rig.opened).toHaveLength(before);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(VIDEO_FILE.byteLength));
    expect(response.headers.get('content-range')).toBeNull();
    expect(await response.text()).toBe('');
  });

  it('has no other variant', async () => {
    for (const query of ['?variant=thumbnail', '?variant=spritesheet', '?variant=video&variant=video']) {
      const response = await rig.call(at + query);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'not_found', param: 'variant' } });
    }
    expect((await rig.call(`${at}?variant=video`, { method: 'HEAD' })).status).toBe(200);
  });

  it('can be downloaded repeatedly over one connection', async () => {
    const head = `GET ${at} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.alice}\r\nrange: bytes=0-3\r\n`;
    const { text } = await rawHttp(rig.port, [`${head}\r\n`.repeat(15), `${head}connection: close\r\n\r\n`]);
    expect(text.match(/HTTP\/1\.1 206 /g)).toHaveLength(16);
  });
});

describe('the stored file', () => {
  it('is read only as fast as the client reads, and closed when the client disconnects', async () => {
    const before = rig.opened.length;
    // The cast is safe because a TCP server emits sockets.
    const connection = once(rig.app.server, 'connection') as Promise<[Socket]>;
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(rig.origin + at, { headers: { 'x-api-key': KEYS.alice } }, (response) => {
        response.once('data', () => {
          response.pause(); // stop reading
          setTimeout(() => {
            request.destroy();
            resolve();
          }, 300);
        });
      });
      request.on('error', (error) => (request.destroyed ? resolve() : reject(error)));
      request.end();
    });
    await expect.poll(() => rig.opened[before]?.closed).toBe(true);
    const [socket] = await connection;
    expect(socket.bytesWritten).toBeLessThan(VIDEO_FILE.byteLength);
  });

  it('is closed when the client stalls for a minute', async () => {
    const before = rig.opened.length;
    // The cast is safe because a TCP server emits sockets.
    const connection = once(rig.app.server, 'connection') as Promise<[Socket]>;
    const reader = connect(rig.port, '127.0.0.1').on('error', () => undefined);
    reader.pause().write(`GET ${at} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.alice}\r\n\r\n`);
    const [socket] = await connection;
    await expect.poll(() => socket.timeout).toBe(60_000);
    socket.setTimeout(50); // Simulates the server's timeout.
    await expect.poll(() => socket.destroyed).toBe(true);
    await expect.poll(() => rig.opened[before]?.closed).toBe(true);
    reader.destroy();
  });

  it('is closed after every kind of response', async () => {
    await Promise.all(
      [get(), get({ range: 'bytes=1-2' }), get({}, 'HEAD')].map(async (one) => (await one).arrayBuffer()),
    );
    await expect.poll(() => rig.opened.filter(({ closed }) => !closed)).toEqual([]);
  });

  it('that was truncated aborts the response, so that no client takes it for complete', async () => {
    const short = await finished();
    const file = (await rig.storedFiles()).find((name) => name.includes(short.split('/')[3] ?? '-'));
    await truncate(file ?? '', 100_000);
    const response = await rig.call(short);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await expect.poll(() => rig.logs()).toContain('of 8388608 bytes');
  });

  it('that was removed is 404 content_expired', async () => {
    const removed = await finished();
    const file = (await rig.storedFiles()).find((name) => name.includes(removed.split('/')[3] ?? '-'));
    await unlink(file ?? '');
    for (const method of ['GET', 'HEAD']) {
      const response = await rig.call(removed, { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('x-should-retry')).toBe('false');
      if (method === 'GET') expect(await response.json()).toMatchObject({ error: { code: 'content_expired' } });
    }
  });
});
