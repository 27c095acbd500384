import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const MODEL = 'veo-2.0-generate-001';
const START = 1_767_323_045_000;
let clock = START;
let sandbox: RunningSandbox;

beforeEach(async () => {
  clock = START;
  sandbox = await startSandbox({ renderMs: 1000, now: () => clock });
});
afterEach(() => sandbox.close());

const headers = { 'x-goog-api-key': 'sk-sandbox' };
const call = wireCaller(() => `${sandbox.url}/v1beta`, headers);
const submit = (prompt: string, parameters: object = {}) =>
  call('POST', `/models/${MODEL}:predictLongRunning`, { instances: [{ prompt }], parameters });

async function ended(prompt: string, parameters: object = {}): Promise<Record<string, unknown>> {
  const { name } = (await submit(prompt, parameters)).body;
  clock = Math.max(clock, START) + 1000;
  return (await call('GET', `/${String(name)}`)).body;
}

const uriOf = (operation: unknown, sample = 0): string =>
  String(at(operation, `response.generateVideoResponse.generatedSamples.${sample}.video.uri`));

describe('an operation', () => {
  it('is not done until it ends, and then lists each video', async () => {
    const { name } = (await submit('kites', { sampleCount: 2, durationSeconds: 5 })).body;
    // At first, a new operation is not visible.
    expect((await call('GET', `/${String(name)}`)).status).toBe(404);
    clock = START + 999;
    expect((await call('GET', `/${String(name)}`)).body).toEqual({ name });
    clock = START + 1000;
    const { body } = await call('GET', `/${String(name)}`);
    expect(body).toEqual({
      name,
      done: true,
      response: {
        '@type': expect.stringContaining('PredictLongRunningResponse'),
        generateVideoResponse: {
          generatedSamples: [0, 1].map((index) => ({
            video: {
              uri: expect.stringMatching(new RegExp(`/v1beta/files/[0-9a-f]{24}${index}:download\\?alt=media$`)),
            },
          })),
        },
      },
    });
    const videos = await Promise.all(
      [0, 1].map(async (index) => (await fetch(uriOf(body, index), { headers })).bytes()),
    );
    expect(videos.map((video) => Buffer.from(video).toString('latin1', 4, 8))).toEqual(['ftyp', 'ftyp']);
    expect(videos[0]).not.toEqual(videos[1]);
  });

  it('is found only by its full name', async () => {
    const name = String((await submit('kite')).body['name']);
    clock = START + 1000;
    expect((await call('GET', `/${name}`)).status).toBe(200);
    for (const other of [name.replace(MODEL, 'veo-3.0-generate-001'), `${name}0`, 'operations/x']) {
      const { status, body } = await call('GET', `/${other}`);
      expect([status, at(body, 'error.status')]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it.each([
    ['[fail]', { error: { code: 13, message: expect.any(String) } }],
    ['[moderation]', { response: { generateVideoResponse: { raiMediaFilteredCount: 1 } } }],
    ['[moderated-output]', { response: { generateVideoResponse: { raiMediaFilteredReasons: [expect.any(String)] } } }],
    ['[nothing]', { response: { generateVideoResponse: {} } }],
  ])('ends %s without a video', async (word, ending) => {
    const operation = await ended(`kite ${word}`);
    expect(operation).toMatchObject({ done: true, ...ending });
    expect(at(operation, 'response.generateVideoResponse.generatedSamples')).toBeUndefined();
  });

  it.each([
    ['[refused]', 400, 'INVALID_ARGUMENT'],
    ['[balance]', 429, 'RESOURCE_EXHAUSTED'],
    ['[429]', 429, 'RESOURCE_EXHAUSTED'],
    ['[503]', 503, 'UNAVAILABLE'],
  ])('is rejected by %s', async (word, code, status) => {
    const refused = await submit(`kite ${word}`);
    expect([refused.status, at(refused.body, 'error')]).toMatchObject([code, { code, status }]);
  });

  it('gets wrong responses with [500] and [garbage]', async () => {
    expect(await ended('kite [500]')).toMatchObject({ error: { code: 500, status: 'INTERNAL' } });
    expect(await ended('kite [garbage]')).toMatchObject({ done: 'perhaps' });
  });
});

async function statuses(uri: string): Promise<number[]> {
  const first = await fetch(uri, { headers });
  return [first.status, (await fetch(uri, { headers })).status];
}

describe('a video', () => {
  it('is redirected to clients with the key', async () => {
    const uri = uriOf(await ended('kite'));
    const hop = await fetch(uri, { headers, redirect: 'manual' });
    expect([hop.status, hop.headers.get('location')]).toEqual([302, expect.stringContaining('/_files/veo/')]);
    expect((await fetch(`${uri}&key=sk-sandbox`)).headers.get('content-type')).toBe('video/mp4');
    expect((await fetch(uri)).status).toBe(403);
    expect((await fetch(`${uri}&key=sk-other`)).status).toBe(400);
  });

  it('is deleted after two days', async () => {
    const uri = uriOf(await ended('kite'));
    clock = START + 1000 + 48 * 3600 * 1000 - 1;
    expect((await fetch(uri, { headers })).status).toBe(200);
    clock += 1;
    const response = await fetch(uri, { headers });
    expect([response.status, await response.json()]).toMatchObject([403, { error: { status: 'PERMISSION_DENIED' } }]);
  });

  it('has expired with [expire], and once with [expire-once]', async () => {
    const [always, once] = [uriOf(await ended('kite [expire]')), uriOf(await ended('kite [expire-once]'))];
    expect([await statuses(always), await statuses(once)]).toEqual([
      [403, 403],
      [403, 200],
    ]);
  });

  it('is not found under other names, or before it is visible', async () => {
    const uri = uriOf(await ended('kite'));
    for (const other of [uri.replace('0:', '1:'), uri.replace('0:', ':'), uri.replace('0:', 'x:')]) {
      expect((await fetch(other, { headers })).status).toBe(403);
    }
    clock = START;
    expect((await fetch(uri, { headers })).status).toBe(403);
  });
});

it('checks the key first', async () => {
  for (const path of ['/models/veo-2:predictLongRunning', '/models/veo-2/operations/x', '/unheard-of']) {
    const method = path.includes(':') ? 'POST' : 'GET';
    const without = await call(method, path, undefined, { 'x-goog-api-key': '' });
    expect([without.status, at(without.body, 'error.status')]).toEqual([403, 'PERMISSION_DENIED']);
  }
  expect((await call('GET', '/unheard-of')).status).toBe(404);
});
