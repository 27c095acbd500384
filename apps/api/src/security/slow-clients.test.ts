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

/** Node emits a warning when the garbage collector closes a file. */
const warnings: string[] = [];
const recordWarning = ({ message }: Error): void => void warnings.push(message);
process.on('warning', recordWarning);
afterAll(() => process.off('warning', recordWarning));

const AUTH = `authorization: Bearer ${KEYS.alice}\r\n`;
const FORM = 'content-type: multipart/form-data; boundary=b\r\n';
const FILE = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
const CHAT = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${AUTH}content-type: application/json\r\n`;
const STREAM = JSON.stringify({ model: 'by-chat', stream: true, messages: [{ role: 'user', content: 'hi' }] });

/** Opens connections, sends the same bytes on each, and then stops sending. */
async function hold(count: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(rig.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write(bytes);
  }
  return sockets;
}

describe('200 stalled connections', () => {
  it.each([
    ['before the first byte', ''],
    ['during a header', `GET /v1/models HTTP/1.1\r\nhost: x\r\nauthor`],
    ['during a JSON body', `${CHAT}content-length: 60000\r\n\r\n{"model":`],
    ['during a chunk', `${CHAT}transfer-encoding: chunked\r\n\r\nff\r\n{"mod`],
    [
      'during a form',
      `POST /v1/videos HTTP/1.1\r\nhost: x\r\n${AUTH}${FORM}content-length: 9000\r\n\r\n--b\r\ncontent-dis`,
    ],
    [
      'during a file',
      `POST /v1/audio/transcriptions HTTP/1.1\r\nhost: x\r\n${AUTH}${FORM}content-length: 90000\r\n\r\n${FILE}RIFF`,
    ],
    [
      'during a rejected upload',
      `POST /v1/videos HTTP/1.1\r\nhost: x\r\n${FORM}content-length: 90000\r\n\r\n${FILE}RIFF`,
    ],
    ['during a handshake', 'GET /v1/realtime HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgr'],
  ])('%s do not block other clients, and their resources are released', async (_where, bytes) => {
    const sockets = await hold(200, bytes);
    await vi.waitFor(async () => expect(await rig.clients()).toBeGreaterThan(190), 30_000);
    expect(await rig.isServing()).toBe(true);
    for (const [at, socket] of sockets.entries()) {
      if (at % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
    }
    await vi.waitFor(async () => expect(await rig.clients()).toBeLessThanOrEqual(2), 30_000);
    await vi.waitFor(async () => expect(openHandles().files).toEqual(filesBefore), 30_000);
    await vi.waitFor(async () => expect((await rig.storedFiles()).filter(isTemporary)).toEqual([]), 30_000);
  });
});

it('accepts a body sent byte by byte', async () => {
  const body = '{"model":"by-chat","messages":[{"role":"user","content":"hi"}]}';
  const head = `${CHAT}connection: close\r\ncontent-length: ${body.length}\r\n\r\n`;
  const { statuses } = await rawExchange(rig.port, [head, ...body.split('')], { pauseMs: 2 });
  expect(statuses).toEqual([200]);
});

describe('50 clients that disconnect', () => {
  it.each([
    ['during the headers', [`${CHAT}content-le`]],
    ['during the body', [`${CHAT}content-length: 999\r\n\r\n{"mod`]],
    ['before the response', [`${CHAT}content-length: ${STREAM.length}\r\n\r\n${STREAM}`]],
    ['before the responses to 20 pipelined requests', [`GET /v1/models HTTP/1.1\r\nhost: x\r\n${AUTH}\r\n`.repeat(20)]],
  ])('%s leave no connection or file open', async (_when, chunks) => {
    const clients = Array.from({ length: 50 }, (_, at) =>
      rawExchange(rig.port, chunks, { disconnect: at % 2 === 0 ? 'end' : 'reset' }),
    );
    await Promise.all(clients);
    expect(await rig.isServing()).toBe(true);
    await vi.waitFor(async () => expect(await rig.clients()).toBeLessThanOrEqual(2), 30_000);
    await vi.waitFor(async () => expect(openHandles().files).toEqual(filesBefore), 30_000);
  });

  it('during a download release the file', async () => {
    const get = `GET /v1/videos/${rig.created.video}/content HTTP/1.1\r\nhost: x\r\n${AUTH}\r\n`;
    await Promise.all(Array.from({ length: 50 }, () => rawExchange(rig.port, [get], { disconnect: 'reset' })));
    await vi.waitFor(() => expect(rig.opened.filter((stream) => !stream.closed)).toEqual([]), 30_000);
    expect(await rig.isServing()).toBe(true);
  });
});

it('leaves no file to the garbage collector', () => {
  expect(warnings.filter((message) => message.includes('garbage collection'))).toEqual([]);
});

function isTemporary(name: string): boolean {
  return /spool|\/tmp\/[\da-f-]{36}$/.test(name);
}

it('disconnects a client that has sent half of its headers for 15 seconds', async () => {
  const begun = Date.now();
  const { statuses, closed } = await rawExchange(rig.port, ['GET /v1/models HTTP/1.1\r\nhost: x\r\nauthor']);
  expect([statuses, closed]).toEqual([[400], true]);
  // By default, Node checks for timeouts only every 30 seconds.
  expect(Date.now() - begun).toBeLessThan(25_000);
}, 90_000);
