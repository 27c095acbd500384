import { createHash, randomBytes } from 'node:crypto';
import { TINY_PNG } from '@sluice/testkit';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

const MIB = 1024 * 1024;
const refusal = (status: number, code: string) => expect.objectContaining({ status, code });

let rig: ApiRig;
let openai: OpenAI;
let bob: OpenAI;
beforeAll(async () => {
  const media_types = ['text/*', 'application/*', 'image/png'];
  const files = { max_bytes: 5 * MIB, max_upload_bytes: 8 * MIB, key_bytes: 20 * MIB, per_key: 8, media_types };
  rig = await apiRig({ redisTimeoutMs: 5_000, config: { files } });
  const client = (apiKey: string) => new OpenAI({ baseURL: `${rig.origin}/v1`, apiKey, maxRetries: 0 });
  [openai, bob] = [client(KEYS.alice), client(KEYS.bob)];
});
afterAll(() => rig.close());

const jsonl = (text: string | Buffer, name = 'batch.jsonl') => toFile(Buffer.from(text), name);

describe('/v1/files with the OpenAI SDK', () => {
  it('uploads, lists, retrieves, downloads, and deletes files', async () => {
    const created = await openai.files.create({ file: await jsonl('{"a":1}\n'), purpose: 'batch' });
    const now = Math.floor(Date.now() / 1_000);
    expect(created).toMatchObject({ object: 'file', bytes: 8, filename: 'batch.jsonl', purpose: 'batch' });
    expect(created).toMatchObject({ status: 'processed', id: expect.stringMatching(/^file-\w{25}$/) });
    expect(Math.abs(created.created_at - now)).toBeLessThan(60);
    expect(created.expires_at).toBe(created.created_at + 30 * 24 * 3_600);
    const other = await openai.files.create({
      purpose: 'user_data',
      file: await toFile(Buffer.from('hello'), 'größe 1.txt', { type: 'text/plain' }),
      expires_after: { anchor: 'created_at', seconds: 3_600 },
    });
    expect(other.expires_at).toBe(other.created_at + 3_600);
    expect(await openai.files.retrieve(other.id)).toEqual(other);

    const ids = [];
    for await (const { id } of openai.files.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual([other.id, created.id]);
    const ascending = await openai.files.list({ order: 'asc', purpose: 'batch' });
    expect([ascending.data, ascending.has_more]).toEqual([[created], false]);

    const response = await openai.files.content(other.id);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="gr__e 1.txt"');
    expect(await response.text()).toBe('hello');
    const part = await openai.files.content(created.id, { headers: { range: 'bytes=1-3' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 1-3/8', '"a"']);
    const cached = { authorization: `Bearer ${KEYS.alice}`, 'if-none-match': part.headers.get('etag') ?? '' };
    expect((await rig.call(`/v1/files/${created.id}/content`, { headers: cached })).status).toBe(304);

    for (const refused of [
      bob.files.retrieve(created.id),
      bob.files.content(created.id),
      bob.files.delete(created.id),
    ]) {
      await expect(refused).rejects.toEqual(refusal(404, 'file_not_found'));
    }
    expect((await bob.files.list()).data).toEqual([]);
    for await (const { id } of openai.files.list({ limit: 1 })) {
      expect(await openai.files.delete(id)).toEqual({ id, object: 'file', deleted: true });
    }
    expect((await openai.files.list()).data).toEqual([]);
    await expect(openai.files.retrieve(created.id)).rejects.toEqual(refusal(404, 'file_not_found'));
  });

  it('streams a file to the store, and refuses a larger one and one beyond the quota', async () => {
    const content = randomBytes(5 * MIB);
    const created = await openai.files.create({ file: await jsonl(content, 'a.bin'), purpose: 'user_data' });
    const stored = Buffer.from(await (await openai.files.content(created.id)).arrayBuffer());
    expect(stored.equals(content)).toBe(true);
    const larger = jsonl(Buffer.alloc(5 * MIB + 1), 'a.bin');
    const before = (await rig.storedFiles()).length;
    await expect(openai.files.create({ file: await larger, purpose: 'user_data' })).rejects.toEqual(
      refusal(413, 'payload_too_large'),
    );
    expect(await rig.storedFiles()).toHaveLength(before);
    const same = async () => openai.files.create({ file: await jsonl(content, 'a.bin'), purpose: 'user_data' });
    const rest = [created, await same(), await same(), await same()];
    await expect(same()).rejects.toEqual(refusal(403, 'storage_quota_exceeded'));
    await Promise.all(rest.map(({ id }) => openai.files.delete(id)));
  });

  it('recognizes an image by its content, and refuses another file with the type of an image', async () => {
    const before = await rig.storedFiles();
    const names = [
      ['no.png', {}],
      ['no', { type: 'image/png' }],
      ['no.txt', { type: 'image/jpeg; charset=x' }],
    ] as const;
    for (const [name, options] of names) {
      for (const purpose of ['vision', 'user_data'] as const) {
        for (const content of ['no image', 'x']) {
          const file = await toFile(Buffer.from(content), name, options);
          const refused = openai.files.create({ file, purpose });
          await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_request', param: 'file' });
        }
      }
    }
    expect(await rig.storedFiles()).toEqual(before);
    const file = await toFile(TINY_PNG, 'a.jpg', { type: 'image/jpeg' });
    const { id } = await openai.files.create({ file, purpose: 'vision' });
    const content = await openai.files.content(id);
    expect(content.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await content.arrayBuffer()).equals(TINY_PNG)).toBe(true);
    await openai.files.delete(id);
  });

  it('takes the type from the name if the client declares none', async () => {
    const file = await toFile(Buffer.from('%PDF'), 'a.pdf', { type: 'application/octet-stream' });
    const { id } = await openai.files.create({ file, purpose: 'user_data' });
    expect((await openai.files.content(id)).headers.get('content-type')).toBe('application/pdf');
    const refused = openai.files.create({ file: await jsonl('x', 'a.mp3'), purpose: 'user_data' });
    await expect(refused).rejects.toThrow('Files of type `audio/mpeg` are not allowed. Upload text/*, application/*');
    await openai.files.delete(id);
  });
});

describe('/v1/uploads with the OpenAI SDK', () => {
  it('makes a file of parts', async () => {
    const parts = ['{"a":1}\n', '{"b":2}\n'];
    const text = parts.join('');
    const params = { bytes: 16, filename: 'b.jsonl', mime_type: 'text/jsonl', purpose: 'batch' } as const;
    const upload = await openai.uploads.create(params);
    expect(upload).toMatchObject({ object: 'upload', status: 'pending', bytes: 16, filename: 'b.jsonl', file: null });
    expect(upload.expires_at).toBe(upload.created_at + 3_600);
    const add = async (part = '') => openai.uploads.parts.create(upload.id, { data: await jsonl(part, 'part') });
    const [second, first] = [await add(parts[1]), await add(parts[0])];
    expect(first).toMatchObject({ object: 'upload.part', upload_id: upload.id });
    const part_ids = [first.id, second.id];
    const md5 = createHash('md5').update(text).digest('hex');
    await expect(openai.uploads.complete(upload.id, { part_ids, md5: '0'.repeat(32) })).rejects.toThrow(/^400 md5/);
    await expect(bob.uploads.complete(upload.id, { part_ids })).rejects.toEqual(refusal(404, 'upload_not_found'));
    const completed = await openai.uploads.complete(upload.id, { part_ids, md5 });
    expect(completed).toMatchObject({ status: 'completed', file: { object: 'file', bytes: 16, purpose: 'batch' } });
    expect(await openai.uploads.complete(upload.id, { part_ids, md5 })).toEqual(completed);
    const { id = '' } = completed.file ?? {};
    const whole = await openai.files.content(id);
    expect([whole.headers.get('content-length'), await whole.text()]).toEqual(['16', text]);
    const range = await openai.files.content(id, { headers: { range: 'bytes=6-9' } });
    expect([range.status, await range.text()]).toEqual([206, '}\n{"']);
    const head = await rig.call(`/v1/files/${id}/content`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '16']);
    await openai.files.delete(id);
  });

  it('recognizes an image by its content, and refuses another file with the type of an image', async () => {
    const upload = async (...parts: Uint8Array[]) => {
      const bytes = Buffer.concat(parts).length;
      const params = { bytes, filename: 'a.png', mime_type: 'image/png', purpose: 'vision' } as const;
      const { id } = await openai.uploads.create(params);
      const part_ids: string[] = [];
      for (const part of parts) {
        part_ids.push((await openai.uploads.parts.create(id, { data: await toFile(part, 'part') })).id);
      }
      return { id, part_ids };
    };
    // The configuration allows no GIF images.
    for (const content of ['no image', 'GIF89a of an image']) {
      const { id, part_ids } = await upload(Buffer.from(content));
      const refused = openai.uploads.complete(id, { part_ids });
      await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_request', param: 'mime_type' });
      expect(await openai.uploads.cancel(id)).toMatchObject({ status: 'cancelled' });
    }
    // The signature is in two parts.
    const image = await upload(TINY_PNG.subarray(0, 5), TINY_PNG.subarray(5));
    const { file } = await openai.uploads.complete(image.id, image);
    const content = await openai.files.content(file?.id ?? '');
    expect(content.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await content.arrayBuffer()).equals(TINY_PNG)).toBe(true);
    await openai.files.delete(file?.id ?? '');
  });

  it('cancels an upload', async () => {
    const params = { bytes: 1, filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data' } as const;
    const { id } = await openai.uploads.create(params);
    await expect(bob.uploads.cancel(id)).rejects.toEqual(refusal(404, 'upload_not_found'));
    expect(await openai.uploads.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    const part = openai.uploads.parts.create(id, { data: await jsonl('x', 'part') });
    await expect(part).rejects.toThrow('400 The upload is cancelled. Create another upload.');
  });
});
