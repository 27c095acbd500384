import { connect } from 'node:net';
import { OpenAI } from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { realtimeCaller } from '../../../test/realtime-caller.ts';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const KEY = 'openai-insecure-api-key.sk-sandbox';
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
const call = wireCaller(() => sandbox.url, { authorization: 'Bearer sk-sandbox' });
beforeEach(() => call('GET', '/_sandbox/requests?clear=1'));
const seen = async () => at((await call('GET', '/_sandbox/requests')).body, 'requests.0');

/** Returns the negotiated protocol and extensions, or the status and code of the error. */
const status = (path: string, protocols: string[] = [], key = '') =>
  new Promise<unknown>((resolve, reject) => {
    const headers = key === '' ? {} : { authorization: `Bearer ${key}` };
    const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}${path}`, protocols, { headers });
    socket.on('error', reject);
    socket.on('open', () => {
      resolve([socket.protocol, socket.extensions]);
      socket.close();
    });
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve([response.statusCode, at(JSON.parse(body), 'error.code')]));
    });
  });

describe('a handshake', () => {
  it('requires the key, in a header or as a protocol, and reports its absence in JSON before the upgrade', async () => {
    expect(await status('/v1/realtime?model=m')).toEqual([401, 'invalid_api_key']);
    expect(await status('/v1/realtime?model=m', [], 'sk-other')).toEqual([401, 'invalid_api_key']);
    expect(await status('/v1/realtime?model=m', ['realtime', 'openai-insecure-api-key.no'])).toEqual([
      401,
      'invalid_api_key',
    ]);
    expect(await status('/v1/realtime?model=m', [], 'sk-sandbox')).toEqual(['', '']);
  });

  it('selects only the protocol `realtime`, and never returns the key', async () => {
    expect(await status('/v1/realtime?model=m', ['realtime', KEY])).toEqual(['realtime', '']);
    expect(await status('/v1/realtime?model=m', [KEY, 'realtime', 'openai-beta.realtime-v1'])).toEqual([
      'realtime',
      '',
    ]);
    expect(JSON.stringify(await seen())).not.toContain('sk-sandbox');
  });

  it('requires a model and an upgrade', async () => {
    expect(await status('/v1/realtime', [], 'sk-sandbox')).toEqual([400, 'missing_model']);
    expect((await call('GET', '/v1/realtime?model=m')).status).toBe(426);
  });
});

it.each([
  ['POST /v1/embeddings', 'h2c', 200],
  ['POST /v1/embeddings', 'websocket', 200],
  ['GET /v1/other', 'websocket', 404],
])('ignores the upgrade of %s with Upgrade: %s, and stops in time', async (connection, upgrade, expected) => {
  const own = await startSandbox();
  const socket = connect({ port: Number(new URL(own.url).port), host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
  const body = JSON.stringify({ model: 'm', input: 'kite' });
  const head = [`${connection} HTTP/1.1`, 'host: x', 'authorization: Bearer sk-sandbox', 'connection: upgrade'];
  const more = [`upgrade: ${upgrade}`, 'content-type: application/json', `content-length: ${body.length}`, '', body];
  socket.write([...head, ...more].join('\r\n'));
  await expect.poll(() => text).toMatch(/^HTTP.1.1 \d{3} /);
  expect(text).toMatch(new RegExp(String.raw`^HTTP.1.1 ${expected} `));
  await own.close();
  socket.destroy();
});

it('drops rejected clients that keep their connection', async () => {
  const own = await startSandbox();
  const socket = connect({ port: Number(new URL(own.url).port), host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
  const head = ['GET /v1/realtime?model=m HTTP/1.1', 'host: x', 'connection: upgrade', 'upgrade: websocket', '', ''];
  socket.write(head.join('\r\n'));
  await expect.poll(() => text).toContain('401');
  await own.close();
  socket.destroy();
});

it('responds to pings', async () => {
  const caller = await realtimeCaller(sandbox.url, {});
  await caller.next();
  const pong = new Promise((resolve) => caller.socket.once('pong', (data) => resolve(String(data))));
  caller.socket.ping('kite');
  expect(await pong).toBe('kite');
  caller.close();
});

it('closes sessions at shutdown, even those of unresponsive clients', async () => {
  const other = await startSandbox();
  const polite = await realtimeCaller(other.url, {});
  const deaf = await realtimeCaller(other.url, {});
  await Promise.all([polite.next(), deaf.next()]);
  deaf.socket.pause();
  const started = performance.now();
  await other.close();
  // Without a termination, the server waits 30 seconds for the client.
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(await polite.closed).toBe(1001);
  deaf.socket.terminate();
});

it('works with the openai client', async () => {
  const client = new OpenAI({ apiKey: 'sk-sandbox', baseURL: `${sandbox.url}/v1` });
  // This client supports only TLS, and the sandbox only plain connections. The test therefore replaces the connection.
  const createConnection = () => connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { createConnection } }, client);
  const text = new Promise<string>((resolve, reject) => {
    realtime.on('error', reject);
    realtime.on('response.output_text.done', (event) => resolve(event.text));
  });
  const usage = new Promise((resolve) => realtime.on('response.done', (event) => resolve(event.response.usage)));
  await new Promise((resolve) => realtime.on('session.created', resolve));
  realtime.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
  const content = [{ type: 'input_text' as const, text: 'kite' }];
  realtime.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  realtime.send({ type: 'response.create' });
  expect(await text).toBe('You said: kite');
  expect(await usage).toMatchObject({ total_tokens: expect.any(Number) });
  realtime.close();
});
