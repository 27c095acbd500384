import { createServer, type AddressInfo } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deadOrigin, startServer, until } from '../../test/local-server.ts';
import { discard, sendRequest } from './send-request.ts';

let agent: Agent;
beforeEach(() => {
  agent = new Agent({ allowH2: false });
});
afterEach(() => agent.destroy());

it('reports when the first byte and each body chunk are sent', async () => {
  await using server = await startServer((_request, response) => response.end());
  const events: string[] = [];
  const { body } = await sendRequest({
    dispatcher: agent,
    method: 'POST',
    url: new URL(server.origin),
    headers: {},
    body: Buffer.from('x'),
    signal: new AbortController().signal,
    onStart: () => events.push('start'),
    onBodySent: () => events.push('body'),
  });
  discard(body);
  expect(events).toEqual(['start', 'body']);
});

it('reports no start without a connection', async () => {
  let started = false;
  const sending = sendRequest({
    dispatcher: agent,
    method: 'GET',
    url: new URL(await deadOrigin()),
    headers: {},
    signal: new AbortController().signal,
    onStart: () => (started = true),
  });
  await expect(sending).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(started).toBe(false);
});

it('closes the connection of a discarded body', async () => {
  let closed = false;
  await using server = await startServer((_request, response) => {
    response.on('close', () => (closed = true));
    response.write('first');
  });
  const signal = new AbortController().signal;
  const { body } = await sendRequest({
    dispatcher: agent,
    method: 'GET',
    url: new URL(server.origin),
    headers: {},
    signal,
  });
  discard(body);
  await until(() => closed);
});

describe('abort while connecting', () => {
  it('rejects at once', async () => {
    const deaf = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((listening) => deaf.listen(0, '127.0.0.1', listening));
    // The cast is safe because the server listens on TCP.
    const { port } = deaf.address() as AddressInfo;
    // Without the abort, this TLS handshake would last forever.
    const patient = new Agent({ allowH2: false, connect: { timeout: 0 } });
    const stop = new AbortController();
    const url = new URL(`https://127.0.0.1:${port}`);
    const sending = sendRequest({ dispatcher: patient, method: 'GET', url, headers: {}, signal: stop.signal });
    const connected = new Promise((seen) => deaf.once('connection', seen));
    await connected;
    stop.abort(new Error('enough'));
    await expect(sending).rejects.toThrow('enough');
    await patient.destroy();
    deaf.close();
  });

  it('prevents the request even if the connection succeeds later', async () => {
    await using server = await startServer((_request, response) => response.end());
    const connect = buildConnector({ allowH2: false });
    const proceed = Promise.withResolvers<void>();
    const slowAgent = new Agent({
      connect: (options, callback) => void proceed.promise.then(() => connect(options, callback)),
    });
    const stop = new AbortController();
    const sending = sendRequest({
      dispatcher: slowAgent,
      method: 'POST',
      url: new URL(server.origin),
      headers: {},
      body: Buffer.from('x'),
      signal: stop.signal,
    });
    stop.abort(new Error('enough'));
    await expect(sending).rejects.toThrow('enough');
    proceed.resolve();
    await until(() => server.connections() === 1);
    await new Promise((wake) => setTimeout(wake, 100));
    expect(server.requests).toHaveLength(0);
    await slowAgent.destroy();
  });
});
