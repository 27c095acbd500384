import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawHttp } from '../../test/raw-http.ts';
import { clientDisconnected } from './client-disconnected.ts';

const app = Fastify();
let port: number;
let signal: AbortSignal | undefined;
let response: (() => void) | undefined;
beforeAll(async () => {
  app.get('/', async (_request, reply) => {
    signal = clientDisconnected(reply);
    await new Promise<void>((resolve) => {
      response = resolve;
    });
    return 'done';
  });
  app.get('/late', async (_request, reply) => {
    await once(reply.raw, 'close');
    signal = clientDisconnected(reply);
    return 'done';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo); // The cast is safe because the server listens on TCP.
});
afterAll(() => app.close());

it('aborts when the client disconnects before the response', async () => {
  await rawHttp(port, ['GET / HTTP/1.1\r\nhost: x\r\n\r\n'], true);
  await expect.poll(() => signal?.aborted).toBe(true);
  response?.();
});

it('does not abort after the response', async () => {
  signal = undefined;
  const sent = rawHttp(port, ['GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n']);
  await expect.poll(() => signal).toBeDefined();
  response?.();
  expect((await sent).body).toBe('done');
  expect(signal).toMatchObject({ aborted: false });
});

it('aborts at once when the client has already disconnected', async () => {
  signal = undefined;
  await rawHttp(port, ['GET /late HTTP/1.1\r\nhost: x\r\n\r\n'], true);
  await expect.poll(() => signal).toBeDefined();
  expect(signal).toMatchObject({ aborted: true });
});
