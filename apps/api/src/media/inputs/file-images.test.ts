import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaRequest, MediaSubmission } from '@sluice/canonical';
import { ContentUnavailableError, createLocalContentStore } from '@sluice/content';
import { TINY_PNG } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../../test/api-rig.ts';

const OTHER_PNG = Buffer.concat([TINY_PNG, Buffer.from('other')]);

interface Received {
  request: MediaRequest;
  images: Buffer[];
}

const received: Received[] = [];
let rig: ApiRig;
/** Without workers, so that tasks stay queued. */
let idleRig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ images: true, script: { submit }, limits: { upload_bytes: 20_000 } });
  await rig.tasks.startWorker();
  idleRig = await apiRig({ script: { submit } });
});
afterAll(async () => {
  await Promise.all([rig.close(), idleRig.close()]);
});

async function submit({ request, images }: MediaSubmission) {
  const bytes = await Promise.all(images.map(async (image) => bytesOf(await image.open())));
  received.push({ request, images: bytes });
  return { kind: 'rejected', code: 'content_policy', message: 'Seen.' } as const;
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function upload(at: ApiRig, content: Uint8Array, type = 'image/png', key = KEYS.alice): Promise<string> {
  const body = new FormData();
  body.append('purpose', 'user_data');
  body.append('file', new Blob([Buffer.from(content)], { type }), 'kite.png');
  const response = await at.call('/v1/files', { method: 'POST', body, headers: { authorization: `Bearer ${key}` } });
  // The cast is safe because every created file has an id.
  return ((await response.json()) as { id: string }).id;
}

async function storedInputs(at: ApiRig): Promise<string[]> {
  return (await at.storedFiles()).filter((name) => name.includes('/inputs/'));
}

async function post(at: ApiRig, path: string, body: FormData | object, key = KEYS.alice) {
  const isForm = body instanceof FormData;
  const response = await at.call(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  // The cast is safe because the response is an object.
  return { http: response.status, ...((await response.json()) as object) };
}

describe('a file id in a media request', () => {
  it('of videos sends the image to the vendor, with its real type and the name of the file', async () => {
    const form = new FormData();
    for (const [name, value] of [
      ['prompt', 'a'],
      ['seconds', '6'],
    ] as const)
      form.set(name, value);
    form.set('input_reference[file_id]', await upload(rig, TINY_PNG, 'image/jpeg'));
    for (const body of [{ prompt: 'a', input_reference: { file_id: await upload(rig, TINY_PNG) } }, form]) {
      received.length = 0;
      expect(await post(rig, '/v1/videos', body)).toMatchObject({ http: 200 });
      await expect.poll(() => received[0]?.images).toEqual([TINY_PNG]);
      const source = { kind: 'stored', mediaType: 'image/png', filename: 'kite.png', bytes: TINY_PNG.length };
      expect(received[0]?.request.images).toMatchObject([{ role: 'first_frame', source }]);
    }
  });

  it('of image edits sends the images in their order', async () => {
    const [first, second] = [TINY_PNG, OTHER_PNG].map((image) => upload(rig, image));
    const images = [{ file_id: await first }, { file_id: await second }];
    received.length = 0;
    expect(await post(rig, '/v1/images/edits', { model: 'image-edit', prompt: 'a', images })).toMatchObject({
      error: { code: 'content_policy' },
    });
    expect(received[0]?.images).toEqual([TINY_PNG, OTHER_PNG]);
    expect(received[0]?.request.images.map(({ role }) => role)).toEqual(['reference', 'reference']);
  });

  it('is read when the task is created, so the client can delete the file then', async () => {
    const file_id = await upload(idleRig, TINY_PNG);
    expect(await post(idleRig, '/v1/videos', { prompt: 'a', input_reference: { file_id } })).toMatchObject({
      http: 200,
    });
    const headers = { authorization: `Bearer ${KEYS.alice}` };
    expect((await idleRig.call(`/v1/files/${file_id}`, { method: 'DELETE', headers })).status).toBe(200);
    // As the sweep of a worker does.
    for (const name of await idleRig.storedFiles()) if (!name.includes('/inputs/')) await rm(name);
    received.length = 0;
    await idleRig.tasks.startWorker();
    await expect.poll(() => received[0]?.images).toEqual([TINY_PNG]);
  });

  it('closes the file if the content store fails before it reads it', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sluice-full-'));
    const local = createLocalContentStore(dir);
    const failing = await apiRig({
      store: {
        ...local,
        write: (key, ...rest) =>
          key.startsWith('inputs/')
            ? Promise.reject(new ContentUnavailableError(new Error('full')))
            : local.write(key, ...rest),
      },
    });
    const body = { prompt: 'a', input_reference: { file_id: await upload(failing, TINY_PNG) } };
    failing.opened.length = 0;
    expect(await post(failing, '/v1/videos', body)).toMatchObject({ http: 503 });
    await expect.poll(() => failing.opened.map(({ closed }) => closed)).toEqual([true]);
    await failing.close();
    await rm(dir, { recursive: true });
  });

  it('is rejected for a file that is missing, of another key, not an image, or too large', async () => {
    const before = await rig.storedFiles();
    const missing = `file-${'0'.repeat(25)}`;
    const files = [
      [missing, 404, 'file_not_found'],
      [await upload(rig, TINY_PNG, 'image/png', KEYS.bob), 404, 'file_not_found'],
      [await upload(rig, TINY_PNG, 'text/plain'), 400, 'invalid_request'],
      [await upload(rig, Buffer.from('this is not an image'.repeat(9)), 'image/bmp'), 400, 'invalid_request'],
      [await upload(rig, Buffer.concat([TINY_PNG, Buffer.alloc(20_000)])), 413, 'payload_too_large'],
    ] as const;
    for (const [file_id, status, code] of files) {
      const refusal = { http: status, error: { code, param: 'input_reference[file_id]' } };
      expect(await post(rig, '/v1/videos', { prompt: 'a', input_reference: { file_id } })).toMatchObject(refusal);
    }
    expect(await rig.storedFiles()).toHaveLength(before.length + files.length - 1);
  });

  it('is checked but not copied by an estimate', async () => {
    const file_id = await upload(rig, TINY_PNG);
    const before = await rig.storedFiles();
    const estimate = (id: string) =>
      post(rig, '/v1/videos?dry_run=true', { prompt: 'a', input_reference: { file_id: id } });
    expect(await estimate(file_id)).toMatchObject({ http: 200, object: 'cost_estimate' });
    expect(await estimate(`file-${'0'.repeat(25)}`)).toMatchObject({ http: 404 });
    expect(await rig.storedFiles()).toEqual(before);
  });
});

it('stores an image once for a key, however requests contain it', async () => {
  const image = Buffer.concat([TINY_PNG, Buffer.from('shared')]);
  received.length = 0;
  const before = (await storedInputs(rig)).length;
  const file_id = await upload(rig, image);
  const form = new FormData();
  form.set('prompt', 'a');
  form.set('input_reference', new Blob([image], { type: 'image/png' }), 'kite.png');
  const image_url = `data:image/png;base64,${image.toString('base64')}`;
  for (const body of [{ input_reference: { file_id } }, { input_reference: { image_url } }, form]) {
    const fields = body instanceof FormData ? body : { prompt: 'a', ...body };
    expect(await post(rig, '/v1/videos', fields)).toMatchObject({ http: 200 });
    expect(await storedInputs(rig)).toHaveLength(before + 1);
  }
  const own = { prompt: 'a', input_reference: { image_url } };
  expect(await post(rig, '/v1/videos', own, KEYS.bob)).toMatchObject({ http: 200 });
  expect(await storedInputs(rig)).toHaveLength(before + 2);
  await expect.poll(() => received.filter(({ images }) => images[0]?.equals(image))).toHaveLength(4);
});
