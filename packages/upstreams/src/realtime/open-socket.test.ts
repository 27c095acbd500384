import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../../test/local-server.ts';
import { startRaw } from '../../test/raw-server.ts';
import { startSocketServer } from '../../test/socket-server.ts';
import { type OpenSocket, openSocket } from './open-socket.ts';

function callOf(origin: string): Parameters<OpenSocket>[0] {
  return {
    url: origin.replace('http', 'ws'),
    headers: {},
    handshakeMs: 500,
    frameBytes: 1_000,
    signal: new AbortController().signal,
  };
}

/** Sends header lines endlessly. */
function drip(socket: Socket): void {
  socket.write('HTTP/1.1 101 Switching Protocols\r\n');
  const more = setInterval(() => socket.write('x-more: and more\r\n'), 50);
  socket.once('close', () => clearInterval(more));
}

it.each([
  ['nothing', () => undefined],
  ['one header after the other', drip],
])('times out a handshake with %s as response', async (_, response) => {
  await using server = await startRaw(response);
  const opening = openSocket(callOf(`http://127.0.0.1:${server.port}`));
  await expect(opening).rejects.toMatchObject({ failure: 'timeout', sent: 'maybe' });
  await until(() => server.closed() === 1);
});

it('stops the timeout after the handshake', async () => {
  await using server = await startSocketServer({});
  const response = await openSocket(callOf(server.origin));
  if (!('socket' in response)) throw new Error('refused');
  let isClosed = false;
  response.socket.listen({ frame: () => undefined, alive: () => undefined, closed: () => (isClosed = true) });
  await new Promise((wake) => setTimeout(wake, 1_000));
  expect(isClosed).toBe(false);
  response.socket.terminate();
});
