import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { closeConnections } from './close-connections.ts';

it.each([
  ['waits for a response', '/slow'],
  ['is downloading', '/download'],
])('closing ends soon although a keep-alive client %s', async (_what, path) => {
  const app = Fastify({ forceCloseConnections: 'idle' });
  closeConnections(app);
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    await gate;
    return 'complete';
  });
  app.get('/download', (_request, reply) => reply.send(Readable.from(twoParts(gate))));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  const request = get(origin + path, { agent });
  // The cast is safe because a `response` event has this payload.
  const responded = once(request, 'response') as Promise<[IncomingMessage]>;
  if (path === '/download') await responded;
  else await once(app.server, 'request');
  const closed = app.close();
  await sleep(50);
  go();
  const [response] = await responded;
  expect(await Readable.from(response).reduce((text, chunk) => text + String(chunk), '')).toBe('complete');
  await closed;
  agent.destroy();
});

async function* twoParts(gate: Promise<void>): AsyncGenerator<string> {
  yield 'comp';
  await gate;
  yield 'lete';
}
