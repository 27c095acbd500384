import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

/** An API key in strict mode. */
const STRICT = 'sk-strict-key';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const { upstreams, models } = vendorConfig(upstream.url);
  const routes = [
    { upstream: 'messages', model: 'theirs' },
    { upstream: 'responses', model: 'theirs' },
  ];
  rig = await textRig({
    upstreams,
    models: [...models, { id: 'either', routes }],
    keys: [
      { name: 'alice', key: 'sk-alice-key' },
      { name: 'strict', key: STRICT, strict: true },
    ],
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const messages = [{ role: 'user', content: 'hi' }];
const sendRequest = (body: object, key = 'sk-alice-key') =>
  rig.post('/v1/chat/completions', { messages, ...body }, { headers: { authorization: `Bearer ${key}` } });

describe('a strict key', () => {
  it('gets the unsupported field by name', async () => {
    const reply = await sendRequest({ model: 'by-messages', seed: 1, logit_bias: { 1: 2 } }, STRICT);
    const message = /seed.*strict|logit_bias.*strict/;
    const refusal = { status: 400, code: 'unsupported_parameter', message };
    await expectRefusal(reply, 'chat-completions', refusal);
    expect(upstream.requests).toEqual([]);
  });

  it('accepts every field of a relayed request', async () => {
    expect((await sendRequest({ model: 'by-chat', seed: 1, unknown_field: 2 }, STRICT)).status).toBe(200);
  });

  it('is served by the next upstream that supports the request', async () => {
    const reply = await sendRequest({ model: 'either', verbosity: 'low' }, STRICT);
    expect(reply.status, await reply.text()).toBe(200);
    expect(reply.headers.get('x-sluice-upstream')).toBe('responses');
    expect(reply.headers.get('x-sluice-dropped')).toBeNull();
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('an upstream error', () => {
  it('never contains the account’s key, relayed or translated, buffered or streamed', async () => {
    const message = 'the key sk-vendor-chat-completions may not see this image';
    for (const status of [400, 413, 422, 429, 500, 503]) {
      upstream.script = (_request, response) => sendJson(response, status, { error: { message, code: 'x' } });
      for (const stream of [false, true]) {
        const relayed = await sendRequest({ model: 'by-chat', stream });
        const translated = await rig.post('/v1/messages', { model: 'by-chat', messages, max_tokens: 9, stream });
        for (const reply of [relayed, translated]) {
          expect(reply.status).toBeGreaterThanOrEqual(400);
          expect(await reply.text()).not.toContain('sk-vendor');
        }
      }
    }
  });

  it('about the gateway’s credential is never sent as the client’s own', async () => {
    for (const status of [401, 403]) {
      upstream.script = (_request, response) => sendJson(response, status, { error: { message: 'wrong key' } });
      for (const model of ['by-chat', 'by-messages', 'by-responses', 'by-gemini']) {
        expect((await sendRequest({ model })).status).toBe(502);
      }
    }
  });

  it('passes on a `retry-after` with an HTTP date', async () => {
    upstream.script = (_request, response) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      sendJson(response, 429, { error: { message: 'slow down' } }, { 'retry-after': date });
    };
    for (const model of ['by-chat', 'by-messages', 'by-responses', 'by-gemini']) {
      const seconds = Number((await sendRequest({ model })).headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(3_000);
      expect(seconds).toBeLessThanOrEqual(3_601);
    }
  });

  it('with a page instead of JSON is replaced by the gateway’s message', async () => {
    upstream.script = (_request, response) => void response.writeHead(400).end('<html>nginx at 10.0.0.7</html>');
    for (const model of ['by-chat', 'by-messages', 'by-responses']) {
      const reply = await sendRequest({ model });
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { code: 'invalid_request', message: expect.any(String) } });
    }
  });

  it('with a long body is described by its status', async () => {
    upstream.script = (_request, response) => void response.writeHead(400).end('x'.repeat(2 * 1024 * 1024));
    const reply = await sendRequest({ model: 'by-chat' });
    expect(reply.status).toBe(400);
    expect((await reply.text()).length).toBeLessThan(2_000);
  });
});

describe('an invalid response', () => {
  it.each(['<html>', '', 'null', '[]', '{"object":"something else"}', '{"choices":"x"}'])(
    'of %j is an upstream failure',
    async (body) => {
      upstream.script = (_request, response) => void response.end(body);
      for (const model of ['by-messages', 'by-responses', 'by-gemini']) {
        const reply = await sendRequest({ model });
        const json = (await reply.json()) as { error?: { code: string } };
        expect([reply.status, json.error?.code], `${model}: ${JSON.stringify(json)}`).toEqual([502, 'provider_error']);
      }
    },
  );
});
