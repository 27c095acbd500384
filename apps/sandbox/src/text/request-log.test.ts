import { ServerResponse } from 'node:http';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createRequestLog } from './request-log.ts';

const request = { wire: 'messages', path: '/v1/messages', model: 'm', body: {} };

it('keeps the last 200 requests', () => {
  const log = createRequestLog(() => 0);
  for (let at = 0; at < 205; at += 1) log.note({ ...request, body: at }, {});
  expect(log.requests()).toHaveLength(200);
  expect(log.requests().at(-1)?.body).toBe(204);
});

it('hides keys wherever they are', () => {
  const protocols = { 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.secret' };
  expect(createRequestLog(() => 0).note(request, protocols).headers).toEqual({
    'sec-websocket-protocol': 'realtime, openai-insecure-api-key.…',
  });
  const log = createRequestLog(() => 0);
  const headers = { authorization: 'a', 'x-api-key': 'b', 'x-goog-api-key': 'c', cookie: 'd', accept: 'e' };
  expect(log.note({ ...request, path: '/m?key=secret&alt=sse' }, headers)).toMatchObject({
    path: '/m?alt=sse',
    headers: { accept: 'e' },
  });
  expect(log.note({ ...request, path: '/m?key=secret' }, {}).path).toBe('/m');
  expect(log.note({ ...request, path: '/m?alt=sse&key=secret' }, {}).path).toBe('/m?alt=sse');
});

it('records how long after the first byte a client disconnected, unless the sandbox dropped the response', () => {
  let clock = 1000;
  const log = createRequestLog(() => clock);
  const responses = [false, true].map((broken) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const seen = log.note(request, {});
    log.follow(seen, response);
    clock = 1000;
    log.firstByteSent(response);
    clock = 1250;
    if (broken) log.broken(response);
    response.emit('close');
    return seen;
  });
  expect(responses).toMatchObject([
    { left: true, left_after_ms: 250 },
    { left: false, left_after_ms: null },
  ]);
});

it('updates an entry with a body read later', () => {
  const log = createRequestLog(() => 0);
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  log.follow(log.note({ ...request, model: null, body: null }, {}), response);
  log.update(response, { model: 'm', body: { a: 1 } });
  expect(log.requests()[0]).toMatchObject({ wire: 'messages', model: 'm', body: { a: 1 } });
});
