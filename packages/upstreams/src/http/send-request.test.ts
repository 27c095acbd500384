import { Agent } from 'undici';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deadOrigin, startServer, until } from '../../test/local-server.ts';
import { discard, sendRequest } from './send-request.ts';

let agent: Agent;
beforeEach(() => {
  agent = new Agent({ allowH2: false });
});
afterEach(() => agent.destroy());

it('tells when the first byte is about to leave, and when a piece of the body has', async () => {
  await using server = await startServer((_request, response) => response.end());
  const told: string[] = [];
  const { body } = await sendRequest({
    dispatcher: agent,
    method: 'POST',
    url: new URL(server.origin),
    headers: {},
    body: Buffer.from('x'),
    signal: new AbortController().signal,
    onStart: () => told.push('start'),
    onBodySent: () => told.push('body'),
  });
  discard(body);
  expect(told).toEqual(['start', 'body']);
});

it('tells of no start when there is no connection', async () => {
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

it('a body that is given up closes its connection', async () => {
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
