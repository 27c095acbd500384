import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createLocalContentStore } from '@sluice/content';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type ApiRig, apiRig, KEYS } from '../../../test/api-rig.ts';

const DOWNLOADS = 40;

let dir: string;
let folder: ApiRig;
let bucket: ApiRig;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-complete-'));
  const local = createLocalContentStore(dir);
  delete local.openFile; // as in a bucket
  folder = await apiRig();
  bucket = await apiRig({
    images: true,
    // The stream ends some time after its last byte.
    store: { ...local, open: async (key, range) => lateEnd(await local.open(key, range)) },
  });
  for (const rig of [folder, bucket]) await rig.tasks.startWorker();
});
afterAll(async () => {
  await Promise.all([folder.close(), bucket.close()]);
  await rm(dir, { recursive: true, force: true });
});

function lateEnd(source: Readable): Readable {
  return Readable.from(
    (async function* chunks() {
      yield* source;
      await wait(5);
    })(),
    { objectMode: false },
  );
}

/** Sends a request and closes the connection at the last byte of the response. */
async function readAndClose(rig: ApiRig, head: string, body = ''): Promise<void> {
  const socket = connect(rig.port, '127.0.0.1', () => void socket.write(`${head}\r\n\r\n${body}`));
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += String(text);
    const headEnd = received.indexOf('\r\n\r\n') + 4;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
    if (headEnd > 3 && received.length >= headEnd + length) socket.destroy();
  });
  await once(socket, 'close');
}

interface RequestLine {
  msg: string;
  path?: string;
  aborted?: boolean;
}

function requestLines(rig: ApiRig, url: string): RequestLine[] {
  const lines = rig.logs().split('\n').filter(Boolean);
  // The cast is safe because pino writes one JSON object per line.
  return lines.map((line) => JSON.parse(line) as RequestLine).filter((line) => line.path === url);
}

it.each(['folder', 'bucket'] as const)(
  'a client that closes at the last byte of a file in a %s has not aborted',
  async (store) => {
    const rig = { folder, bucket }[store];
    // The cast is safe because every created video has an id.
    const { id } = (await (await rig.create({ prompt: 'a kite' }, { prefer: 'wait=30' })).json()) as { id: string };
    const url = `/v1/videos/${id}/content`;
    for (let count = 0; count < DOWNLOADS; count += 1) {
      await readAndClose(rig, `GET ${url} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.alice}`);
    }
    await expect.poll(() => requestLines(rig, url)).toHaveLength(DOWNLOADS);
    expect(requestLines(rig, url).filter(({ aborted }) => aborted)).toEqual([]);
  },
);

it('a client that closes at the last byte of a base64 image has not aborted', async () => {
  const url = '/v1/images/generations';
  const body = JSON.stringify({ model: 'image', prompt: 'a kite', response_format: 'b64_json' });
  const head = [`POST ${url} HTTP/1.1`, 'host: x', `x-api-key: ${KEYS.alice}`, 'content-type: application/json'];
  await readAndClose(bucket, [...head, `content-length: ${body.length}`].join('\r\n'), body);
  await expect.poll(() => requestLines(bucket, url)).toHaveLength(1);
  expect(requestLines(bucket, url)[0]).not.toHaveProperty('aborted');
});
