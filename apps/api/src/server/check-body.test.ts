import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../test/api-rig.ts';
import { head, multipartRequest, rawHttp } from '../../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

const MIB = 1024 * 1024;
const WAIT = 'expect: 100-continue';
const BODY = '{"prompt":"a kite"}';

describe('checkBodies', () => {
  it('sends 100 Continue to a waiting client if its body is accepted', async () => {
    const start = head(KEYS.alice, 'application/json', `content-length: ${BODY.length}`, WAIT);
    expect((await rawHttp(rig.port, [start, BODY])).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  it.each([
    ['an invalid key', head('sk-wrong', 'application/json', 'content-length: 19', WAIT), 401],
    ['too large JSON', head(KEYS.alice, 'application/json', 'content-length: 5000', WAIT), 413],
    ['too large a form', head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 20001', WAIT), 413],
    [
      'an encoded body',
      head(KEYS.alice, 'application/json', 'content-length: 9', 'content-encoding: deflate', WAIT),
      415,
    ],
  ])('does not request a body with %s', async (_what, start, status) => {
    const response = await rawHttp(rig.port, [start]);
    expect(response.text).not.toContain('100 Continue');
    expect(response.status).toBe(status);
  });

  it('allows a form of the upload size, and JSON of the body size', async () => {
    const form = await rawHttp(
      rig.port,
      [head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 20000', WAIT)],
      true,
    );
    expect(form.text).not.toContain(' 413 ');
    const response = await rig.create({ prompt: 'a kite' }, { 'content-encoding': 'identity' });
    expect(response.status).toBe(200);
  });
});

describe('large bodies', () => {
  let large: ApiRig;
  beforeAll(async () => {
    large = await apiRig({});
  });
  afterAll(() => large.close());

  it('limits the bodies in flight of a key, and frees their memory when requests end', async () => {
    const start = head(KEYS.alice, 'application/json', `content-length: ${30 * MIB}`, WAIT);
    const pending = await Promise.all(Array.from({ length: 4 }, () => openRequest(large.port, start)));
    const refused = await rawHttp(large.port, [start]);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body).toContain('API key');
    for (const socket of pending) socket.destroy();
    await vi.waitFor(async () => (await openRequest(large.port, start)).destroy(), 30_000);
  });

  it('limits the uploads in flight of a key', async () => {
    const start = head(KEYS.alice, 'multipart/form-data; boundary=b', `content-length: ${400 * MIB}`, WAIT);
    const pending = await Promise.all([openRequest(large.port, start), openRequest(large.port, start)]);
    const refused = await rawHttp(large.port, [start]);
    expect(refused.status).toBe(429);
    for (const socket of pending) socket.destroy();
    await vi.waitFor(async () => (await openRequest(large.port, start)).destroy(), 30_000);
  });

  it.each(['embeddings', 'rerank', 'completions'])('limits a body without images to 8 MiB: %s', async (path) => {
    const start = head(KEYS.alice, 'application/json', `content-length: ${9 * MIB}`, WAIT);
    const response = await rawHttp(large.port, [start.toString().replace('/v1/videos', `/v1/${path}`)]);
    expect(response.status).toBe(413);
    expect(response.body).toContain('8,388,608 bytes');
  });

  it('counts the elements of all JSON parts together', async () => {
    const json = `[${'[],'.repeat(60_000)}[]]`;
    const parts = [jsonPart('metadata[a]', json), jsonPart('metadata[b]', json)];
    const response = await rawHttp(large.port, [multipartRequest(KEYS.alice, parts)]);
    expect(response.status).toBe(413);
    expect(response.body).toContain('100,000 objects, arrays, and strings');
  });

  it('counts JSON parts as fields, not as files, and ignores empty ones', async () => {
    const prompt = jsonPart('prompt', '"a kite"');
    const many = (count: number) => Array.from({ length: count }, (_, at) => jsonPart(`metadata[k${at}]`, '"v"'));
    const accepted = await rawHttp(large.port, [
      multipartRequest(KEYS.alice, [prompt, jsonPart('seconds', ''), ...many(16)]),
    ]);
    expect([accepted.status, accepted.body]).toEqual([200, expect.any(String)]);
    const refused = await rawHttp(large.port, [multipartRequest(KEYS.alice, [prompt, ...many(200)])]);
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('at most 200 fields')]);
  });

  it('checks the structure of a JSON part before it is parsed', async () => {
    const json = `[${'[],'.repeat(200_000)}[]]`;
    const part = `content-disposition: form-data; name="metadata"\r\ncontent-type: application/json\r\n\r\n${json}`;
    const response = await rawHttp(large.port, [multipartRequest(KEYS.alice, [part])]);
    expect(response.status).toBe(413);
    expect(response.body).toContain('100,000 objects, arrays, and strings');
  });
});

function jsonPart(name: string, json: string): string {
  return `content-disposition: form-data; name="${name}"\r\ncontent-type: application/json\r\n\r\n${json}`;
}

/** Resolves when the server has sent 100 Continue. */
async function openRequest(port: number, start: Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1', () => socket.write(start));
  const [data] = (await once(socket, 'data')) as [Buffer];
  if (!data.includes('100 Continue')) {
    socket.destroy();
    throw new Error(data.toString());
  }
  return socket;
}
