import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gatewayErrorOf } from './gateway-error-of.ts';
import { readBody } from './read-body.ts';

const MAX_BYTES = 2 * 1024 * 1024;

let app: FastifyInstance;
let chunks: Buffer[];
let bodies: Buffer[];

beforeEach(async () => {
  chunks = [];
  bodies = [];
  app = Fastify({ bodyLimit: MAX_BYTES });
  app.addContentTypeParser('application/json', readBody);
  app.addHook('preParsing', (_request, _reply, payload, done) => {
    payload.on('data', (chunk: Buffer) => chunks.push(chunk));
    done(null, payload);
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, message } = gatewayErrorOf(error, request.routeOptions.bodyLimit);
    return reply.code(status).send(message);
  });
  app.post('/', (request, reply) => {
    bodies.push(request.body as Buffer);
    return reply.send({});
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

/** @returns the status, once the body has been sent */
async function post(body: Buffer, headers: Record<string, string | number> = {}): Promise<number | undefined> {
  const { port } = app.server.address() as AddressInfo;
  const sending = send({ port, method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
  sending.end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

const large = Buffer.from(Array.from({ length: 300_000 }, (_none, index) => `${index},`).join(''));

it('reads a body of declared and of unknown length, and frees its chunks', async () => {
  const framings: Record<string, string | number>[] = [
    { 'content-length': large.length },
    { 'transfer-encoding': 'chunked' },
  ];
  for (const headers of framings) {
    expect(await post(large, headers)).toBe(200);
    expect(bodies.pop()?.equals(large)).toBe(true);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ byteLength }) => byteLength).filter((length) => length > 0)).toEqual([]);
  }
});

it('reads an empty and a small body', async () => {
  expect([await post(Buffer.alloc(0)), await post(Buffer.from('{}'))]).toEqual([200, 200]);
  expect(bodies.map(String)).toEqual(['', '{}']);
});

it('rejects a body of unknown length above the limit', async () => {
  expect(await post(Buffer.alloc(MAX_BYTES + 1), { 'transfer-encoding': 'chunked' })).toBe(413);
  expect(bodies).toEqual([]);
});

it('rejects a body whose length differs from the declared one', async () => {
  for (const length of ['1', '3']) {
    const reply = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json', 'content-length': length },
      payload: '{}',
    });
    expect([reply.statusCode, reply.payload]).toEqual([400, expect.stringContaining('`Content-Length`')]);
  }
});
