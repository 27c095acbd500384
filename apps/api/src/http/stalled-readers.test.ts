import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEventStream } from './event-stream.ts';
import { disconnectStalledReaders } from './stalled-readers.ts';

const STALL_MS = 60_000;
const CHUNK = 'x'.repeat(64 * 1024);

let app: FastifyInstance;
let source: Readable;
/** The server sides of the connections. */
let served: Socket[];
let client: Socket;
/** Releases the response of `/late`. */
let late: PromiseWithResolvers<string>;

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: true });
  served = [];
  late = Promise.withResolvers();
  app.server.on('connection', (socket) => served.push(socket));
  disconnectStalledReaders(app);
  app.get('/stream', (_request, reply) => {
    source = Readable.from(endless());
    return reply.send(source);
  });
  app.get('/long', (_request, reply) => reply.send(CHUNK.repeat(800)));
  app.get('/short', () => 'short');
  app.get('/late', () => late.promise);
  app.get('/events', (_request, reply) => {
    const options = { contentType: 'text/event-stream', keepAliveMs: 600_000, keepAlive: () => '' };
    const stream = openEventStream(reply, options);
    stream.begin({});
    let remaining = 800;
    const writeOn = () => {
      while (remaining > 0 && stream.write(CHUNK, 'latin1')) remaining -= 1;
      remaining -= 1;
    };
    stream.onDrain(writeOn);
    writeOn();
    return reply;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  // The cast is safe because the server listens on TCP.
  client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined).pause();
  await once(client, 'connect');
});
afterEach(async () => {
  client.destroy();
  await app.close();
});

async function* endless(): AsyncGenerator<string> {
  for (;;) yield CHUNK;
}

const writeRequest = (path: string) => client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
const stall = () => served[0]?.timeout;

it.each(['/stream', '/long', '/events'])('a client that does not read %s is disconnected', async (path) => {
  writeRequest(path);
  await expect.poll(stall).toBe(STALL_MS);
  served[0]?.setTimeout(50); // Simulates the server's timeout.
  await expect.poll(() => served[0]?.destroyed).toBe(true);
  if (path === '/stream') await expect.poll(() => source.destroyed).toBe(true);
});

it('an idle stream stays open even if its client read slowly before', async () => {
  writeRequest('/events');
  await expect.poll(stall).toBe(STALL_MS);
  client.resume();
  await expect.poll(stall).toBe(0);
});

it('a client may wait for its next response after a long one', async () => {
  writeRequest('/long');
  await expect.poll(stall).toBe(STALL_MS);
  client.resume();
  await expect.poll(stall).not.toBe(STALL_MS);
  writeRequest('/late');
  await expect.poll(stall).toBe(0);
  late.resolve('late');
});

it('short responses are sent without a stall timer', async () => {
  writeRequest('/short');
  writeRequest('/late');
  await expect.poll(() => served.length).toBe(1);
  expect(stall()).not.toBe(STALL_MS);
  late.resolve('late');
});
