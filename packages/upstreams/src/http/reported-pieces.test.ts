import { expect, it } from 'vitest';
import { startServer, readBody, until } from '../../test/local-server.ts';
import { textOf } from '../../test/text-rig.ts';
import { createUpstreamHttp } from './fetch-upstream.ts';
import { reportedPieces } from './reported-pieces.ts';

/** More than the kernel buffers for a connection. */
const LARGE = 24 * 1024 * 1024;

it('copies small pieces, which a socket may still hold when the next piece is read', () => {
  const [small, large] = [Buffer.from('ab'), Buffer.alloc(1024 * 1024)];
  const pieces = [...reportedPieces([small, large], () => undefined)];
  expect(pieces[0]).not.toBe(small);
  expect(pieces[0]).toEqual(Uint8Array.from(small));
  expect(pieces[1]).toBe(large);
});

it('reports nothing if the call ends early', () => {
  let sent = 0;
  for (const piece of reportedPieces([Buffer.from('a'), Buffer.from('b')], () => (sent += 1))) {
    if (piece.byteLength > 0) break;
  }
  expect(sent).toBe(0);
});

it('reports only after the socket has passed all bytes on', async () => {
  const proceed = Promise.withResolvers<void>();
  let received: Buffer | undefined;
  await using server = await startServer(async (request, response) => {
    await proceed.promise;
    received = await readBody(request);
    response.end('{}');
  });
  const http = createUpstreamHttp();
  const bytes = Buffer.alloc(LARGE, 'sluice');
  let isSent = false;
  const onBodySent = (): void => {
    isSent = true;
    bytes.fill(0);
  };
  const opening = http.openUpstream({
    method: 'POST',
    origin: server.origin,
    path: '/',
    headers: ['content-length', String(LARGE + 2)],
    body: [Buffer.from('['), bytes, Buffer.from(']')],
    onBodySent,
    firstMs: 10_000,
    idleMs: 10_000,
    signal: new AbortController().signal,
  });
  await until(() => server.requests.length === 1);
  expect(isSent).toBe(false);
  proceed.resolve();
  await textOf(await opening);
  expect(isSent).toBe(true);
  expect(received?.subarray(1, -1).equals(Buffer.alloc(LARGE, 'sluice'))).toBe(true);
  await http.close();
});
