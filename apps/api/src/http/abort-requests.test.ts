import { setTimeout as wait } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatChunk, type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';
import { trackRequests } from './abort-requests.ts';

const SPEECH = { type: 'speech.audio.delta', audio: 'a2l0ZQ==' };

let vendor: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  vendor = await scriptedUpstream(({ path, body }, response) => {
    if (JSON.stringify(body).includes('silence')) return;
    if (path.endsWith('/audio/speech') && body['stream_format'] !== 'sse') {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('ID3-kite');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(path.endsWith('/chat/completions') ? chatChunk({ content: 'a' }) : sse(SPEECH));
  });
  const account = { kind: 'chat-completions', base_url: vendor.url, api_key: 'sk-vendor' };
  rig = await textRig({
    upstreams: { there: account },
    models: [
      { id: 'voice', routes: [{ upstream: 'there', model: 'gpt-voice' }] },
      { id: 'text', routes: [{ upstream: 'there', model: 'm' }] },
    ],
    timeouts: { keep_alive_ms: 50 },
  });
});
afterEach(async () => {
  await rig.close();
  await vendor.close();
});

function sse(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** Reads a response that the process aborts after the first chunk. */
async function truncateResponse(at: string, body: object): Promise<string[]> {
  const response = await rig.post(at, body);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? '';
  rig.app.abortRequests();
  for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) text += chunk.value;
  return text.trim().split('\n\n');
}

function lastOf(events: string[]): unknown {
  return JSON.parse((events.at(-1) ?? '').replace(/^(?:.*\n)?data: /, ''));
}

const stopped = {
  error: { code: 'no_upstream', message: expect.stringContaining('The server stopped') as string },
};

describe('an aborted response', () => {
  it.each([
    ['chat', '/v1/chat/completions', { model: 'text', messages: [{ role: 'user', content: 'hi' }], stream: true }],
    [
      'chat without output',
      '/v1/chat/completions',
      { model: 'text', messages: [{ role: 'user', content: 'silence' }], stream: true },
    ],
    ['responses', '/v1/responses', { model: 'text', input: 'hi', stream: true }],
    ['completions', '/v1/completions', { model: 'text', prompt: 'hi', stream: true }],
    ['completions without output', '/v1/completions', { model: 'text', prompt: 'silence', stream: true }],
    ['speech', '/v1/audio/speech', { model: 'voice', input: 'kite', voice: 'ash', stream_format: 'sse' }],
  ])('reports the reason in its last event: %s', async (_of, at, body) => {
    expect(JSON.stringify(lastOf(await truncateResponse(at, body)))).toContain('The server stopped');
    await expect.poll(() => vendor.disconnects).toBe(1);
    await expect.poll(() => rig.logs()).toContain('"cut_off":true');
    expect(rig.logs()).not.toMatch(/interrupted|attempt failed|circuit breaker|request failed/);
  });

  it('breaks off if it is audio', async () => {
    const cut = truncateResponse('/v1/audio/speech', { model: 'voice', input: 'kite', voice: 'ash' });
    await expect(cut).rejects.toThrow('terminated');
    expect(rig.logs()).not.toMatch(/interrupted|attempt failed|circuit breaker/);
  });

  it.each([
    ['embeddings', '/v1/embeddings', { model: 'text', input: 'silence' }],
    ['moderations', '/v1/moderations', { model: 'text', input: 'silence' }],
    ['completions', '/v1/completions', { model: 'text', prompt: 'silence' }],
    ['responses', '/v1/responses', { model: 'text', input: 'silence' }],
  ])('is a retryable 503 if it has not started: %s', async (_of, at, body) => {
    const response = rig.post(at, body);
    await expect.poll(() => vendor.requests.length).toBe(1);
    rig.app.abortRequests();
    const { status, headers } = await response;
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([503, '1', 'true']);
    expect(await (await response).json()).toMatchObject(stopped);
    expect(rig.logs()).not.toMatch(/attempt failed|circuit breaker|request failed/);
  });
});

it("loses its connection, and ends before the API's dependencies do, if the client does not read", async () => {
  const order: string[] = [];
  const app = Fastify({ forceCloseConnections: 'idle' });
  app.addHook('onClose', async () => void order.push('the API'));
  trackRequests(app);
  app.get('/', (_request, reply) => {
    reply.hijack();
    reply.raw.once('close', () => order.push('the request'));
    reply.raw.flushHeaders();
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const response = await fetch(origin);
  const read = response.text().catch(() => 'broken off');
  const closed = app.close();
  await wait(20);
  expect(app.abortRequests()).toBe(1);
  await closed;
  expect(await read).toBe('broken off');
  expect(order).toEqual(['the request', 'the API']);
});
