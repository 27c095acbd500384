import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chatChunk,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

const WARN = 'warn';
const INFO = 'info';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  rig = await textRig(vendorConfig(upstream.url));
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const messages = [{ role: 'user', content: 'hi' }];

/** Returns the log lines of attempts, from level `info` on. */
function loggedFailures(): { level: string; upstream: string; code: string; msg: string }[] {
  const lines = rig.logs().split('\n').filter(Boolean);
  const parsed = lines.map(
    (line) => JSON.parse(line) as { level: string; upstream: string; code: string; msg: string },
  ); // The cast is safe because pino writes one JSON object per line.
  return parsed.filter(({ level, msg }) => !['debug', 'trace'].includes(level) && msg.startsWith('upstream '));
}

describe('the log', () => {
  it.each([400, 413, 422])('does not warn about an upstream that rejects a request with %i', async (status) => {
    upstream.script = (_request, response) => sendJson(response, status, { error: { message: 'no such tool' } });
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      const reply = await rig.post(path, { model: 'by-chat', messages, max_tokens: 9 });
      expect(reply.status).toBeLessThan(500);
    }
    const line = { level: INFO, upstream: 'chat-completions', msg: 'upstream rejected a request' };
    expect(loggedFailures()).toMatchObject([line, line]);
  });

  it('omits upstreams that were not called, as do the metrics', async () => {
    const image = { type: 'image_url', image_url: { url: 'http://127.0.0.1:1/a.png' } };
    const body = { model: 'by-gemini', messages: [{ role: 'user', content: [image] }] };
    expect((await rig.post('/v1/chat/completions', body)).status).toBe(400);
    expect((await rig.post('/v1/embeddings', { model: 'by-gemini', input: [[1, 2]] })).status).toBe(400);
    expect(upstream.requests).toEqual([]);
    expect(loggedFailures()).toEqual([]);
    expect(await (await rig.call('/metrics')).text()).not.toMatch(/^sluice_upstream_failures_total\{/m);
  });

  it.each([401, 403, 404, 429, 500, 503])('warns about an upstream that returns %i', async (status) => {
    upstream.script = (_request, response) => sendJson(response, status, { error: { message: 'no' } });
    await rig.post('/v1/chat/completions', { model: 'by-chat', messages });
    expect(loggedFailures()).toMatchObject([
      { level: WARN, upstream: 'chat-completions', msg: 'upstream attempt failed' },
    ]);
  });

  it('warns about an upstream that breaks off', async () => {
    upstream.script = (_request, response) => void response.socket?.destroy();
    await rig.post('/v1/chat/completions', { model: 'by-chat', messages });
    expect(loggedFailures()).toMatchObject([{ level: WARN, msg: 'upstream attempt failed' }]);
  });

  it.each([400, 403, 409, 429, 500, 503])('has no message of an upstream that returns %i', async (status) => {
    const prompt = 'a prompt that must stay private';
    upstream.script = (_request, response) => sendJson(response, status, { error: { message: `No: ${prompt}` } });
    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/embeddings', '/v1/moderations']) {
      await rig.post(path, {
        model: 'by-chat',
        max_tokens: 9,
        ...(/chat|messages/.test(path) ? { messages: [{ role: 'user', content: prompt }] } : { input: prompt }),
      });
    }
    expect(upstream.requests).toHaveLength(5);
    expect(rig.logs()).not.toContain(prompt);
  });

  it('has no message of an error inside a stream', async () => {
    const prompt = 'a prompt that must stay private';
    const open: ServerResponse[] = [];
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chatChunk({ content: 'hi' }));
      open.push(response);
    };
    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/responses']) {
      const shape = path === '/v1/responses' ? { input: 'hi' } : { messages, max_tokens: 9 };
      const reply = await rig.post(path, { model: 'by-chat', stream: true, ...shape });
      open.pop()?.end(`data: ${JSON.stringify({ error: { message: prompt } })}\n\n`);
      await reply.text();
    }
    expect(rig.logs()).toContain('response interrupted');
    expect(rig.logs()).not.toContain(prompt);
  });
});
