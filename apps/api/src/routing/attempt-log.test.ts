import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Script,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

const messages = [{ role: 'user', content: 'hi' }];
const chatFails: Script = (request, response) =>
  request.path.includes('/chat/')
    ? sendJson(response, 503, { error: { message: 'busy' } })
    : respondWith('hello')(request, response);

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(chatFails);
  const { models, ...config } = vendorConfig(upstream.url);
  const either = {
    id: 'either',
    routes: [
      { upstream: 'chat-completions', model: 'first' },
      { upstream: 'responses', model: 'second' },
    ],
  };
  rig = await textRig({ ...config, models: [...models, either] });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

interface Line {
  msg: string;
  request_id?: string;
}

/** Returns a request's log lines, without debug lines. */
function linesOf(id: string): Line[] {
  const lines = rig.logs().split('\n').filter(Boolean);
  // The cast is safe because pino writes one JSON object per line.
  const parsed = lines.map((line) => JSON.parse(line) as Line & { level: string });
  return parsed.filter(({ level, request_id }) => request_id === id && level !== 'debug');
}

async function requestLine(id: string): Promise<Line | undefined> {
  const find = () => linesOf(id).find(({ msg }) => msg === 'request');
  await expect.poll(find).toBeDefined();
  return find();
}

const call = (id: string, body: object, path = '/v1/chat/completions') =>
  rig.post(path, { messages, ...body }, { headers: { 'x-request-id': id } });

const failed = { upstream: 'chat-completions', upstream_model: 'first', result: 'provider_overloaded' };

describe('a request that a fallback serves', () => {
  it.each([false, true])('logs the requested model and each attempt, and counts them (stream: %s)', async (stream) => {
    const reply = await call('fallback', { model: 'either', stream });
    await reply.text();
    expect([reply.status, reply.headers.get('x-sluice-attempts')]).toEqual([200, '2']);
    expect(await requestLine('fallback')).toMatchObject({
      model: 'either',
      upstream: 'responses',
      attempts: [
        { ...failed, ms: expect.any(Number) },
        { upstream: 'responses', upstream_model: 'second', result: 'served', ms: expect.any(Number) },
      ],
    });
    expect(linesOf('fallback')).toContainEqual(
      expect.objectContaining({ msg: 'upstream attempt failed', upstream: 'chat-completions' }),
    );
  });

  it('names upstreams that an open circuit skips, and does not count them', async () => {
    for (let count = 0; count < 10; count += 1) await (await call('opens', { model: 'by-chat' })).text();
    const reply = await call('skipped', { model: 'either' });
    expect([reply.status, reply.headers.get('x-sluice-attempts')]).toEqual([200, '1']);
    expect(await requestLine('skipped')).toMatchObject({
      attempts: [{ upstream: 'chat-completions', result: 'circuit_open' }, { result: 'served' }],
    });
  });

  it('names upstreams whose protocol does not support the request', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'http://127.0.0.1:1/a.png' } }];
    const reply = await call('unsupported', { model: 'by-gemini', messages: [{ role: 'user', content }] });
    expect([reply.status, reply.headers.get('x-sluice-attempts')]).toEqual([400, '0']);
    expect(await requestLine('unsupported')).toMatchObject({ attempts: [{ result: 'unsupported' }] });
  });
});

it('a request that every upstream fails returns the count and logs the attempts', async () => {
  upstream.script = (_request, response) => sendJson(response, 503, { error: { message: 'busy' } });
  const reply = await call('failed', { model: 'either' });
  expect([reply.status, reply.headers.get('x-sluice-attempts')]).toEqual([503, '2']);
  expect(await requestLine('failed')).toMatchObject({
    model: 'either',
    attempts: [failed, { upstream: 'responses', result: 'provider_overloaded' }],
  });
});

it('a request that its first upstream serves logs no attempts', async () => {
  const reply = await call('direct', { model: 'by-responses' });
  expect(reply.headers.get('x-sluice-attempts')).toBe('1');
  const line = await requestLine('direct');
  expect(line).toMatchObject({ model: 'by-responses', upstream: 'responses' });
  expect(line).not.toHaveProperty('attempts');
});

it.each([
  ['an unknown model is logged', 'no-such/model:1', 'no-such/model:1'],
  ['text in place of a model is not logged', 'tell me a secret story', undefined],
])('%s', async (_what, model, logged) => {
  expect((await call('unknown', { model })).status).toBe(404);
  expect(await requestLine('unknown')).toMatchObject({ ...(logged !== undefined && { model: logged }), status: 404 });
  expect(rig.logs()).not.toContain('secret story');
});

it('an interrupted response is logged with the request id', async () => {
  upstream.script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"one"}}]}\n\n');
    setImmediate(() => response.socket?.destroy());
  };
  await (await call('interrupted', { model: 'by-chat', stream: true })).text();
  await expect
    .poll(() => linesOf('interrupted'))
    .toContainEqual(expect.objectContaining({ msg: 'response interrupted' }));
});
