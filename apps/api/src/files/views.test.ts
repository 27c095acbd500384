import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Anthropic, { toFile } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { upstreamSettings } from '@sluice/config';
import { createLogger } from '@sluice/telemetry';
import { buildUpstreams } from '@sluice/upstreams';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

const MIB = 1024 * 1024;

let rig: ApiRig;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  rig = await apiRig({ redisTimeoutMs: 5_000, config: { files: { max_bytes: 10 * MIB, max_upload_bytes: 20 * MIB } } });
  openai = new OpenAI({ baseURL: `${rig.origin}/v1`, apiKey: KEYS.alice, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: rig.origin, apiKey: KEYS.alice, maxRetries: 0 });
});
afterAll(() => rig.close());

async function deleteAll(): Promise<void> {
  for await (const { id } of openai.files.list()) await openai.files.delete(id);
}

/** Sends all bytes of an upload to its URL, without a key. */
function sendBytes(url: URL): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'x-goog-upload-command': 'upload, finalize' }, body: 'abc' });
}

function progress({ headers }: Response): (string | null)[] {
  return ['status', 'size-received'].map((name) => headers.get(`x-goog-upload-${name}`));
}

describe('the Anthropic SDK', () => {
  it('uploads, lists, retrieves, downloads, and deletes files', async () => {
    const file = await toFile(Buffer.from('hello'), 'a.txt', { type: 'text/plain' });
    const created = await anthropic.beta.files.upload({ file, expires_in_seconds: 3_600 });
    expect(created).toMatchObject({ type: 'file', filename: 'a.txt', mime_type: 'text/plain', size_bytes: 5 });
    expect(created.downloadable).toBe(true);
    expect(Date.parse(created.expires_at ?? '') - Date.parse(created.created_at)).toBe(3_600_000);
    const other = await anthropic.beta.files.upload({ file });
    expect(await anthropic.beta.files.retrieveMetadata(created.id)).toMatchObject({ id: created.id });
    expect(await (await anthropic.beta.files.download(created.id)).text()).toBe('hello');
    const ids = [];
    for await (const { id } of anthropic.beta.files.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual([other.id, created.id]);
    expect(await anthropic.beta.files.delete(other.id)).toEqual({ id: other.id, type: 'file_deleted' });
    await expect(anthropic.beta.files.retrieveMetadata(other.id)).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' } },
    });
    await deleteAll();
  });

  it('pages by ids, as older clients do', async () => {
    const headers = { 'x-api-key': KEYS.alice, 'anthropic-version': '2023-06-01' };
    const file = await toFile(Buffer.from('x'), 'a.txt');
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.unshift((await anthropic.beta.files.upload({ file })).id);
    const page = async (query: string) => (await rig.call(`/v1/files?limit=1${query}`, { headers })).json();
    expect(await page('')).toMatchObject({ data: [{ id: ids[0] }], has_more: true, first_id: ids[0], last_id: ids[0] });
    expect(await page(`&after_id=${ids[1]}`)).toMatchObject({ data: [{ id: ids[2] }], has_more: false });
    expect(await page(`&before_id=${ids[2]}`)).toMatchObject({ data: [{ id: ids[1] }], has_more: true });
    await deleteAll();
  });

  it('is selected by the beta header', async () => {
    const headers = { authorization: `Bearer ${KEYS.alice}`, 'anthropic-beta': 'files-api-2025-04-14' };
    expect(await (await rig.call('/v1/files', { headers })).json()).toHaveProperty('next_page', null);
    const refused = await rig.call('/v1/files', { headers: { ...headers, authorization: 'Bearer sk-wrong' } });
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
  });
});

describe('the Google SDK', () => {
  it.each(['v1', 'v1beta'])('uploads in several requests and reads files with version %s', async (apiVersion) => {
    const google = new GoogleGenAI({ apiKey: KEYS.alice, apiVersion, httpOptions: { baseUrl: rig.origin } });
    const content = randomBytes(9 * MIB);
    const file = new Blob([content], { type: 'application/pdf' });
    const created = await google.files.upload({ file, config: { displayName: 'report.pdf' } });
    expect(created).toMatchObject({
      name: expect.stringMatching(/^files\/[a-z0-9]{25}$/),
      displayName: 'report.pdf',
      mimeType: 'application/pdf',
      sizeBytes: String(9 * MIB),
      uri: `${rig.origin}/v1beta/${created.name}`,
      state: 'ACTIVE',
    });
    const { name = '' } = created;
    expect(await google.files.get({ name })).toMatchObject({ name, displayName: 'report.pdf' });
    const small = await google.files.upload({ file: new Blob(['hello'], { type: 'text/plain' }) });
    expect(small.sha256Hash).toBe(createHash('sha256').update('hello').digest('base64'));
    const names = [];
    for await (const listed of await google.files.list({ config: { pageSize: 1 } })) names.push(listed.name);
    expect(names).toEqual([small.name, name]);

    const dir = await mkdtemp(path.join(tmpdir(), 'sluice-google-'));
    await google.files.download({ file: name, downloadPath: path.join(dir, 'a') });
    expect((await readFile(path.join(dir, 'a'))).equals(content)).toBe(true);
    await rm(dir, { recursive: true });
    await google.files.delete({ name });
    await expect(google.files.get({ name })).rejects.toMatchObject({ status: 404 });
    await deleteAll();
  });

  it('refuses a file with the type of an image that is no image', async () => {
    const google = new GoogleGenAI({ apiKey: KEYS.alice, httpOptions: { baseUrl: rig.origin } });
    const file = new Blob(['no image'], { type: 'image/png' });
    await expect(google.files.upload({ file })).rejects.toThrow('its content is no PNG, JPEG, WebP, or GIF image');
    expect((await openai.files.list()).data).toEqual([]);
  });

  it('continues an upload after a lost response', async () => {
    const headers = { 'x-goog-api-key': KEYS.alice };
    const start = await rig.call('/upload/v1beta/files', {
      method: 'POST',
      headers: {
        ...headers,
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-length': '6',
        'x-goog-upload-header-content-type': 'text/plain',
        'x-goog-upload-file-name': 'a.txt',
      },
    });
    const url = start.headers.get('x-goog-upload-url') ?? '';
    const send = (command: string, offset: number, body?: string) =>
      fetch(url, {
        method: 'POST',
        headers: { ...headers, 'x-goog-upload-command': command, 'x-goog-upload-offset': String(offset) },
        body: body ?? null,
      });
    expect(progress(await send('upload', 0, 'abc'))).toEqual(['active', '3']);
    expect(progress(await send('upload', 0, 'abc'))).toEqual(['active', '3']);
    expect((await send('upload', 5, 'f')).status).toBe(400);
    expect(progress(await send('query', 0))).toEqual(['active', '3']);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const finished = await send('upload, finalize', 3, 'def');
      expect(progress(finished)).toEqual(['final', '6']);
      expect(await finished.json()).toMatchObject({ file: { displayName: 'a.txt', sizeBytes: '6' } });
    }
    expect((await openai.files.list()).data).toHaveLength(1);
    await deleteAll();
  });

  it('needs no key for the signed URL of an upload, while its key exists', async () => {
    const start = await rig.call('/upload/v1beta/files', {
      method: 'POST',
      headers: {
        'x-goog-api-key': KEYS.alice,
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-type': 'text/plain',
      },
    });
    const url = new URL(start.headers.get('x-goog-upload-url') ?? '');
    const upstreams = buildUpstreams({
      ...upstreamSettings(rig.config),
      logger: createLogger({ level: 'silent', name: 'test' }),
    });
    for (const [name, value] of [
      ['owner', 'bob'],
      ['upload_id', `upload_${'0'.repeat(25)}`],
      ['signature', 'x'],
    ] as const) {
      const changed = new URL(url);
      changed.searchParams.set(name, value);
      expect([name, (await sendBytes(changed)).status]).toEqual([name, 401]);
    }
    const keys = rig.config.keys.filter(({ name }) => name !== 'alice');
    await rig.apply({ ...rig.config, keys }, upstreams, []);
    expect((await sendBytes(url)).status).toBe(401);
    await rig.apply(rig.config, upstreams, []);
    expect(await (await sendBytes(url)).json()).toMatchObject({ file: { sizeBytes: '3' } });
    expect((await openai.files.list()).data).toMatchObject([{ bytes: 3 }]);
    await deleteAll();
  });
});

it('shows a file in every view under the same id', async () => {
  const file = new File(['{"a":1}\n'], 'batch.jsonl');
  const { id } = await openai.files.create({ file, purpose: 'batch' });
  expect(await anthropic.beta.files.retrieveMetadata(id)).toMatchObject({ id, filename: 'batch.jsonl' });
  const google = new GoogleGenAI({ apiKey: KEYS.alice, httpOptions: { baseUrl: rig.origin } });
  const { uri = '' } = await google.files.get({ name: `files/${id.slice('file-'.length)}` });
  const content = await rig.call(uri.slice(rig.origin.length) + ':download?alt=media');
  expect(await content.text()).toBe('{"a":1}\n');
  await google.files.delete({ name: id.slice('file-'.length) });
  await expect(openai.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
});
