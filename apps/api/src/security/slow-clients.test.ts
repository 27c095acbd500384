import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { openHandles, type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { rawExchange } from '../../test/security/raw-exchange.ts';

let rig: FullRig;
let filesBefore: string[];
beforeAll(async () => {
  rig = await fullRig();
  filesBefore = openHandles().files;
});
afterAll(() => rig.close());

/** Files that nobody has closed are closed by the garbage collector, which says so. */
const warnings: string[] = [];
const note = ({ message }: Error): void => void warnings.push(message);
process.on('warning', note);
afterAll(() => process.off('warning', note));

const AUTH = `authorization: Bearer ${KEYS.alice}\r\n`;
const FORM = 'content-type: multipart/form-data; boundary=b\r\n';
const FILE = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
const CHAT = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${AUTH}content-type: application/json\r\n`;
const STREAM = JSON.stringify({ model: 'by-chat', stream: true, messages: [{ role: 'user', content: 'hi' }] });

/** Opens connections that say so much, and nothing more. */
async function hold(count: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(rig.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write(bytes);
  }
  return sockets;
}

describe('two hundred connections that stop do not keep others from being served, and go when they leave', () => {
  it.each([
    ['before they say a word', ''],
    ['in the middle of a header', `GET /v1/models HTTP/1.1\r\nhost: x\r\nauthor`],
    ['in the middle of a JSON body', `${CHAT}content-length: 60000\r\n\r\n{"model":`],
    ['in the middle of a chunk', `${CHAT}transfer-encoding: chunked\r\n\r\nff\r\n{"mod`],
    [
      'in the middle of a form',
      `POST /v1/videos HTTP/1.1\r\nhost: x\r\n${AUTH}${FORM}content-length: 9000\r\n\r\n--b\r\ncontent-dis`,
    ],
    [
      'in the middle of a file',
      `POST /v1/audio/transcriptions HTTP/1.1\r\nhost: x\r\n${AUTH}${FORM}content-length: 90000\r\n\r\n${FILE}RIFF`,
    ],
    ['in a refused upload', `POST /v1/videos HTTP/1.1\r\nhost: x\r\n${FORM}content-length: 90000\r\n\r\n${FILE}RIFF`],
    ['in a handshake', 'GET /v1/realtime HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgr'],
  ])('%s', async (_where, bytes) => {
    const sockets = await hold(200, bytes);
    await vi.waitFor(async () => expect(await rig.clients()).toBeGreaterThan(190), 20_000);
    expect(await rig.isServing()).toBe(true);
    for (const [at, socket] of sockets.entries()) {
      if (at % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
    }
    await vi.waitFor(async () => expect(await rig.clients()).toBeLessThanOrEqual(2), 20_000);
    await vi.waitFor(async () => expect(openHandles().files).toEqual(filesBefore), 20_000);
    await vi.waitFor(async () => expect((await rig.storedFiles()).filter(isTemporary)).toEqual([]), 20_000);
  });
});

it('a body that comes byte by byte is a body', async () => {
  const body = '{"model":"by-chat","messages":[{"role":"user","content":"hi"}]}';
  const head = `${CHAT}connection: close\r\ncontent-length: ${body.length}\r\n\r\n`;
  const { statuses } = await rawExchange(rig.port, [head, ...body.split('')], { pauseMs: 2 });
  expect(statuses).toEqual([200]);
});

describe('fifty clients that leave', () => {
  it.each([
    ['in the middle of their head', [`${CHAT}content-le`]],
    ['in the middle of their body', [`${CHAT}content-length: 999\r\n\r\n{"mod`]],
    ['before their answer', [`${CHAT}content-length: ${STREAM.length}\r\n\r\n${STREAM}`]],
    ['before the answers to twenty requests', [`GET /v1/models HTTP/1.1\r\nhost: x\r\n${AUTH}\r\n`.repeat(20)]],
  ])('%s, politely or not, leave nothing behind', async (_when, chunks) => {
    const leaving = Array.from({ length: 50 }, (_, at) =>
      rawExchange(rig.port, chunks, { leave: at % 2 === 0 ? 'end' : 'reset' }),
    );
    await Promise.all(leaving);
    expect(await rig.isServing()).toBe(true);
    await vi.waitFor(async () => expect(await rig.clients()).toBeLessThanOrEqual(2), 20_000);
    await vi.waitFor(async () => expect(openHandles().files).toEqual(filesBefore), 20_000);
  });

  it('in the middle of a download close the file that they were sent', async () => {
    const get = `GET /v1/videos/${rig.created.video}/content HTTP/1.1\r\nhost: x\r\n${AUTH}\r\n`;
    await Promise.all(Array.from({ length: 50 }, () => rawExchange(rig.port, [get], { leave: 'reset' })));
    await vi.waitFor(() => expect(rig.opened.filter((stream) => !stream.closed)).toEqual([]), 20_000);
    expect(await rig.isServing()).toBe(true);
  });
});

it('nobody has left a file to the garbage collector', () => {
  expect(warnings.filter((message) => message.includes('garbage collection'))).toEqual([]);
});

function isTemporary(name: string): boolean {
  return /spool|\/tmp\/[\da-f-]{36}$/.test(name);
}
