import { Readable } from 'node:stream';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';
import { field, file, multipartRequest, PNG, rawHttp } from '../../test/raw-http.ts';

let rig: ApiRig;
/** The last request that the vendor received. */
let received: { prompt?: string; metadata?: unknown; images: { name: string; type: string; bytes: Buffer }[] };
beforeAll(async () => {
  rig = await apiRig({
    script: {
      submit: async ({ request, images }) => {
        const imageInputs = images.map(async ({ filename, mediaType, open }) => ({
          name: filename,
          type: mediaType,
          bytes: Buffer.concat(await Readable.from(await open()).toArray()),
        }));
        received = { prompt: request.prompt, metadata: request.metadata, images: await Promise.all(imageInputs) };
        return undefined;
      },
    },
  });
  await rig.tasks.startWorker();
});
afterAll(() => rig.close());
beforeEach(() => {
  received = { images: [] };
});

/** Sends a form made of raw parts and waits until the vendor receives the request. */
async function submit(...parts: (string | Buffer)[]): Promise<void> {
  const request = multipartRequest(KEYS.alice, parts).toString('latin1');
  const response = await rawHttp(rig.port, [
    Buffer.from(request.replace('host: x', 'host: x\r\nprefer: wait=30'), 'latin1'),
  ]);
  expect(response.status).toBe(200);
  expect(JSON.parse(response.body)).toMatchObject({ status: 'completed' });
}

describe('a form', () => {
  it.each([
    ['before', [file('input_reference'), field('prompt', 'a kite'), field('metadata[style]', 'warm')]],
    ['after', [field('prompt', 'a kite'), field('metadata[style]', 'warm'), file('input_reference')]],
    ['between', [field('prompt', 'a kite'), file('input_reference'), field('metadata[style]', 'warm')]],
  ])('may send its file %s the fields', async (_where, parts) => {
    await submit(...parts);
    expect(received).toMatchObject({ prompt: 'a kite', metadata: { style: 'warm' } });
    expect(received.images).toEqual([{ name: 'a.png', type: 'image/png', bytes: PNG }]);
  });

  it('may have no file', async () => {
    await submit(field('prompt', 'a kite'));
    expect(received).toMatchObject({ prompt: 'a kite', images: [] });
  });

  it('may arrive in the smallest of chunks', async () => {
    const form = multipartRequest(KEYS.alice, [file('input_reference'), field('prompt', 'an ünïcode kite')]);
    const response = await rawHttp(
      rig.port,
      Array.from(form, (byte) => Buffer.of(byte)),
    );
    expect(JSON.parse(Buffer.from(response.body, 'latin1').toString())).toMatchObject({ prompt: 'an ünïcode kite' });
  });

  it("takes an image's type from its bytes, not from its name or declared type", async () => {
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40)]);
    const odd =
      'content-disposition: form-data; name="input_reference"; filename="../../etc/x.exe"\r\ncontent-type: text/html\r\n\r\n';
    await submit(field('prompt', 'a kite'), Buffer.concat([Buffer.from(odd), jpeg]));
    expect(received.images).toMatchObject([{ name: 'x.exe', type: 'image/jpeg' }]);
  });

  it('may have a file without a name', async () => {
    const bare =
      'content-disposition: form-data; name="input_reference"\r\ncontent-type: application/octet-stream\r\n\r\n';
    await submit(field('prompt', 'a kite'), Buffer.concat([Buffer.from(bare), PNG]));
    expect(received.images).toMatchObject([{ name: 'input', type: 'image/png' }]);
  });

  it('stores its file unchanged until the vendor receives it', async () => {
    const quiet = await apiRig();
    try {
      const data = new FormData();
      const large = Buffer.concat([PNG, Buffer.alloc(3_000_000, 9)]);
      data.set('input_reference', new Blob([large]), 'large.png');
      data.set('prompt', 'a kite');
      expect((await quiet.call('/v1/videos', { method: 'POST', body: data })).status).toBe(200);
      const [stored = '', ...others] = await quiet.storedFiles();
      expect(others).toEqual([]);
      expect((await readFile(stored)).equals(large)).toBe(true);
    } finally {
      await quiet.close();
    }
  });
});

describe('a data URL', () => {
  it('is stored like an uploaded image', async () => {
    const input_reference = { image_url: `data:image/png;base64,${PNG.toString('base64')}` };
    const response = await rig.create({ prompt: 'a kite', input_reference }, { prefer: 'wait=30' });
    expect(await response.json()).toMatchObject({ status: 'completed' });
    expect(received.images).toEqual([{ name: 'input', type: 'image/png', bytes: PNG }]);
  });
});
