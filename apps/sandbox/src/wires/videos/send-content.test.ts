import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
const authorization = 'Bearer sk-sandbox';
let clock = START;
let sandbox: RunningSandbox;

beforeEach(async () => {
  clock = START;
  sandbox = await startSandbox({ renderMs: 1000, now: () => clock });
});
afterEach(() => sandbox.close());

type Download = (headers?: Record<string, string>, method?: string, query?: string) => Promise<Response>;

async function submit(prompt: string, more: Record<string, unknown> = {}): Promise<Download> {
  const response = await fetch(`${sandbox.url}/v1/videos`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt, ...more }),
  });
  const created: unknown = await response.json();
  const { id } = Object(created);
  return (headers = {}, method = 'GET', query = '') =>
    fetch(`${sandbox.url}/v1/videos/${String(id)}/content${query}`, { method, headers: { authorization, ...headers } });
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe('GET /v1/videos/{id}/content', () => {
  it('responds 404 until the job is complete', async () => {
    const download = await submit('kite');
    clock = START + 999;
    const early = await download();
    expect(early.status).toBe(404);
    expect(await early.json()).toMatchObject({ error: { code: 'video_not_ready' } });
    clock = START + 1000;
    expect((await download()).status).toBe(200);
  });

  it('responds 404 if the job has failed', async () => {
    const download = await submit('kite [fail]');
    clock = START + 1000;
    expect((await download()).status).toBe(404);
  });

  it('sends an MP4 with its length and a stable validator', async () => {
    const download = await submit('kite');
    clock = START + 1000;
    const response = await download();
    const bytes = await bytesOf(response);
    expect(bytes.toString('latin1', 4, 12)).toBe('ftypisom');
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(response.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
    expect(await bytesOf(await download())).toEqual(bytes);
  });

  it('generates a video of the requested duration and size', async () => {
    const download = await submit('kite', { seconds: '1.5', size: '66x50' });
    clock = START + 1000;
    const bytes = await bytesOf(await download());
    const media = bytes.indexOf('mdhd') + 4;
    expect(bytes.readUInt32BE(media + 16) / bytes.readUInt32BE(media + 12)).toBeCloseTo(1.5, 1);
    const entry = bytes.indexOf('avc1', bytes.indexOf('stsd')) + 28;
    expect([bytes.readUInt16BE(entry), bytes.readUInt16BE(entry + 2)]).toEqual([66, 50]);
  });

  it('serves ranges, and 416 past the end', async () => {
    const download = await submit('kite');
    clock = START + 1000;
    const complete = await bytesOf(await download());
    const part = await download({ range: 'bytes=100-199' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${complete.length}`);
    expect(part.headers.get('content-length')).toBe('100');
    expect(await bytesOf(part)).toEqual(complete.subarray(100, 200));
    const past = await download({ range: `bytes=${complete.length}-` });
    expect(past.status).toBe(416);
    expect(past.headers.get('content-range')).toBe(`bytes */${complete.length}`);
  });

  it('honors If-None-Match and If-Range', async () => {
    const download = await submit('kite');
    clock = START + 1000;
    const etag = (await download({}, 'HEAD')).headers.get('etag') ?? '';
    expect((await download({ 'if-none-match': etag })).status).toBe(304);
    expect((await download({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await download({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
  });

  it('sends only the headers in response to HEAD', async () => {
    const download = await submit('kite');
    clock = START + 1000;
    const complete = await bytesOf(await download());
    const head = await download({}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(complete.length));
    expect(head.headers.get('accept-ranges')).toBe('bytes');
    expect((await bytesOf(head)).length).toBe(0);
    const part = await download({ range: 'bytes=0-9' }, 'HEAD');
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '10']);
  });

  it('rejects other variants', async () => {
    const download = await submit('kite');
    clock = START + 1000;
    expect((await download({}, 'GET', '?variant=thumbnail')).status).toBe(400);
    expect((await download({}, 'GET', '?variant=video')).status).toBe(200);
  });

  it('cuts off the first two downloads with [cut]', async () => {
    const download = await submit('kite [cut]');
    clock = START + 1000;
    const length = Number((await download({}, 'HEAD')).headers.get('content-length'));
    for (const turn of [1, 2]) {
      const response = await download();
      expect([turn, response.status, response.headers.get('content-length')]).toEqual([turn, 200, String(length)]);
      let received = 0;
      const read = async (): Promise<void> => {
        for await (const chunk of response.body ?? []) received += chunk.length;
      };
      await expect(read()).rejects.toThrow('terminated');
      expect(received).toBeGreaterThan(0);
      expect(received).toBeLessThanOrEqual(length / 2);
    }
    expect((await bytesOf(await download())).length).toBe(length);
  });

  it('expires at completion with [expire], and after a day otherwise', async () => {
    const [expired, unexpired] = [await submit('kite [expire]'), await submit('kite')];
    clock = START + 1000;
    const response = await expired();
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({ error: { code: 'content_expired' } });
    clock = START + 1000 + 86_400_000 - 1;
    expect((await unexpired()).status).toBe(200);
    clock += 1;
    expect((await unexpired()).status).toBe(410);
  });
});
