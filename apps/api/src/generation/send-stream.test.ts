import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chatResponse,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const { upstreams, models } = vendorConfig(upstream.url);
  const routes = [{ upstream: 'chat-completions', model: 'mödel/1' }];
  rig = await textRig({
    upstreams,
    models: [...models, { id: 'odd', routes }],
    timeouts: { keep_alive_ms: 400 },
    limits: { answer_bytes: 4_096 },
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const messages = [{ role: 'user', content: 'hi' }];

describe('the headers of a response', () => {
  it('name the upstream in valid header characters', async () => {
    for (const stream of [false, true]) {
      const reply = await rig.post('/v1/chat/completions', { model: 'odd', messages, stream });
      expect(reply.headers.get('x-sluice-upstream')).toBe('chat-completions');
      expect(reply.headers.get('x-sluice-model')).toBe('m?del/1');
      await reply.text();
    }
  });

  it('include a vendor’s processing time for its own protocol, without its rate limits, which are the operator’s', async () => {
    upstream.script = (_request, response) =>
      sendJson(response, 200, chatResponse('hi'), {
        'x-ratelimit-remaining-requests': '7',
        'anthropic-ratelimit-tokens-remaining': '7',
        'openai-processing-ms': '12',
        'openai-organization': 'their-org',
        'set-cookie': 'a=b',
        'x-request-id': 'theirs',
      });
    const relayed = await rig.post('/v1/chat/completions', { model: 'by-chat', messages });
    expect([...relayed.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    expect(relayed.headers.get('openai-processing-ms')).toBe('12');
    expect(relayed.headers.get('openai-organization')).toBeNull();
    expect(relayed.headers.get('set-cookie')).toBeNull();
    expect(relayed.headers.get('x-request-id')).toMatch(/^req_/);
    const translated = await rig.post('/v1/messages', { model: 'by-chat', messages, max_tokens: 9 });
    expect(translated.headers.get('openai-processing-ms')).toBeNull();
  });

  it('name each lost field once', async () => {
    const sent = { model: 'by-messages', messages, seed: 1, logit_bias: { 1: 2 } };
    const reply = await rig.post('/v1/chat/completions', sent);
    const dropped = reply.headers.get('x-sluice-dropped')?.split(', ') ?? [];
    expect(dropped.toSorted()).toEqual(['logit_bias', 'seed']);
  });
});

describe('a Gemini array', () => {
  it('is one JSON array, even after a keep-alive', async () => {
    const respond = respondWith('hello');
    upstream.script = (request, response) => void setTimeout(() => respond(request, response), 1_200);
    for (const model of ['by-gemini', 'by-messages']) {
      const contents = [{ parts: [{ text: 'hi' }] }];
      const reply = await rig.post(`/v1beta/models/${model}:streamGenerateContent`, { contents });
      expect(reply.headers.get('content-type')).toContain('application/json');
      const chunks = JSON.parse(await reply.text()) as unknown[];
      expect(JSON.stringify(chunks)).toContain('hello');
    }
  });
});

describe('a buffered response', () => {
  it('that is too long is an upstream failure', async () => {
    upstream.script = (_request, response) => sendJson(response, 200, chatResponse('x'.repeat(5_000)));
    const reply = await rig.post('/v1/chat/completions', { model: 'by-chat', messages });
    expect(reply.status).toBe(502);
    expect(await reply.json()).toMatchObject({ error: { code: 'provider_error' } });
    expect(reply.headers.get('x-should-retry')).toBe('false');
  });

  it('is counted once, with its cost', async () => {
    await rig.post('/v1/chat/completions', { model: 'by-chat', messages });
    await (await rig.post('/v1/messages', { model: 'by-chat', messages, max_tokens: 9, stream: true })).text();
    await expect
      .poll(async () => (await rig.call('/metrics')).text())
      .toMatch(/sluice_text_tokens_total\{upstream="chat-completions",direction="input"\} 6\n/);
    await expect
      .poll(() => rig.logs())
      .toMatch(/"upstream":"chat-completions","upstream_model":"[^"]*","relayed":true/);
  });
});
