import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chatResponse,
  chatChunk,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
/** The upstream's response, which the test writes. */
let reply: PromiseWithResolvers<ServerResponse>;

const SSE = { 'content-type': 'text/event-stream' };
const messages = [{ role: 'user', content: 'hi' }];
const CLIENTS = {
  'chat completions': ['/v1/chat/completions', { model: 'ours', stream: true, messages }],
  messages: ['/v1/messages', { model: 'ours', stream: true, max_tokens: 50, messages }],
  responses: ['/v1/responses', { model: 'ours', stream: true, input: 'hi' }],
  'generative content': [
    '/v1beta/models/ours:streamGenerateContent?alt=sse',
    { contents: [{ parts: [{ text: 'hi' }] }] },
  ],
} as const;
type Client = keyof typeof CLIENTS;
const EVERY = Object.keys(CLIENTS) as Client[]; // The cast is needed because `Object.keys` returns `string[]`.
/** Matches each protocol's error event. */
const ERRORS: Record<Client, RegExp> = {
  'chat completions': /data: \{"error":\{/,
  messages: /event: error\ndata: \{"type":"error"/,
  responses: /event: response\.failed\n/,
  'generative content': /data: \{"error":\{"code":\d{3}/,
};

/** Matches each protocol's final event. */
const ENDS: Record<Client, RegExp> = {
  'chat completions': /data: \[DONE\]/,
  messages: /event: message_stop/,
  responses: /event: response\.completed/,
  'generative content': /"finishReason":"STOP"/,
};

beforeEach(async () => {
  reply = Promise.withResolvers();
  upstream = await scriptedUpstream((_request, response) => reply.resolve(response));
  rig = await textRig({
    upstreams: { vendor: { kind: 'chat-completions', base_url: `${upstream.url}/v1`, api_key: 'sk-vendor-key' } },
    models: [{ id: 'ours', routes: [{ upstream: 'vendor', model: 'theirs' }] }],
    timeouts: { keep_alive_ms: 300 },
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

function open(client: Client, signal?: AbortSignal): Promise<Response> {
  const [at, body] = CLIENTS[client];
  return rig.post(at, body, signal ? { signal } : {});
}

/** A client that reads a stream in chunks. */
interface Reading {
  headers: Headers;
  /** Reads until the text matches the pattern. */
  until(pattern: RegExp): Promise<void>;
  /** Reads to the end. @returns the complete text */
  rest(): Promise<string>;
  cancel(): Promise<void>;
}

async function read(opening: Promise<Response>): Promise<Reading> {
  const response = await opening;
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  async function next(): Promise<boolean> {
    const { value, done = true } = (await reader?.read()) ?? {};
    text += decoder.decode(value, { stream: !done });
    return !done;
  }
  return {
    headers: response.headers,
    until: async (pattern) => {
      while (!pattern.test(text)) if (!(await next())) throw new Error(`ended without ${pattern.source}: ${text}`);
    },
    rest: async () => {
      while (await next());
      return text;
    },
    cancel: async () => reader?.cancel(),
  };
}

const ALIVE = /: keep-alive\r?\n|event: ping\n/;

describe.each(EVERY)('a stream of %s', (client) => {
  it('passes on the first bytes before the next arrive', async () => {
    const opening = open(client);
    const upstreamResponse = await reply.promise;
    upstreamResponse.writeHead(200, SSE).write(chatChunk({ role: 'assistant', content: 'one' }));
    const response = await read(opening);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(response.headers.get('x-sluice-upstream')).toBe('vendor');
    await response.until(/one/);
    upstreamResponse.end(`${chatChunk({ content: 'two' })}${chatChunk({}, 'stop')}data: [DONE]\n\n`);
    expect(await response.rest()).toContain('two');
  });

  it('sends keep-alives before the first byte and between bytes', async () => {
    const response = await read(open(client));
    await response.until(ALIVE);
    const upstreamResponse = await reply.promise;
    upstreamResponse.writeHead(200, SSE).write(chatChunk({ role: 'assistant', content: 'one' }));
    await response.until(new RegExp(`one[^]*(?:${ALIVE.source})`));
    upstreamResponse.end(`${chatChunk({}, 'stop')}data: [DONE]\n\n`);
    expect(await response.rest()).not.toMatch(ERRORS[client]);
  });

  it("reports an error after a keep-alive in the protocol's format", async () => {
    const response = await read(open(client));
    await response.until(ALIVE);
    sendJson(await reply.promise, 500, { error: { message: 'no' } });
    expect(await response.rest()).toMatch(ERRORS[client]);
    // The request's own log line has status 200, so the failure is logged separately.
    await expect.poll(() => rig.logs()).toMatch(/"level":"warn"[^\n]*"request_id":"req_/);
  });

  it('never ends as complete when the upstream breaks off', async () => {
    const opening = open(client);
    const upstreamResponse = await reply.promise;
    upstreamResponse.writeHead(200, SSE).write(chatChunk({ role: 'assistant', content: 'one' }));
    const response = await read(opening);
    await response.until(/one/);
    upstreamResponse.socket?.destroy();
    const rest = await response.rest();
    expect(rest).toMatch(ERRORS[client]);
    expect(rest).not.toMatch(/\[DONE\]|message_stop|response\.completed|"STOP"/);
  });

  it('never ends as complete when the upstream sends no finish reason', async () => {
    const opening = open(client);
    (await reply.promise).writeHead(200, SSE).end(chatChunk({ role: 'assistant', content: 'one' }));
    const text = await (await read(opening)).rest();
    expect(text).toMatch(ERRORS[client]);
    expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed|"STOP"/);
  });

  it('is complete when the connection breaks after the final event', async () => {
    const opening = open(client);
    const upstreamResponse = await reply.promise;
    const frames = `${chatChunk({ role: 'assistant', content: 'one' })}${chatChunk({}, 'stop')}data: [DONE]\n\n`;
    upstreamResponse.writeHead(200, SSE).write(frames, () => upstreamResponse.socket?.resetAndDestroy());
    const text = await (await read(opening)).rest();
    expect(text).not.toMatch(ERRORS[client]);
    expect(text).toMatch(ENDS[client]);
  });

  it('ends after the final event even if the connection stays open', async () => {
    const opening = open(client);
    const upstreamResponse = await reply.promise;
    const frames = `${chatChunk({ role: 'assistant', content: 'one' })}${chatChunk({}, 'stop')}data: [DONE]\n\n`;
    upstreamResponse.writeHead(200, SSE).write(frames);
    expect(await (await read(opening)).rest()).toMatch(ENDS[client]);
    await expect.poll(() => upstream.disconnects).toBe(1);
  });

  it('aborts the upstream call when the client disconnects', async () => {
    const controller = new AbortController();
    const opening = open(client, controller.signal);
    const upstreamResponse = await reply.promise;
    upstreamResponse.writeHead(200, SSE).write(chatChunk({ role: 'assistant', content: 'one' }));
    await (await read(opening)).until(/one/);
    controller.abort();
    await expect.poll(() => upstream.disconnects).toBe(1);
  });

  it('aborts the upstream call when the client disconnects before the first byte', async () => {
    const controller = new AbortController();
    const opening = open(client, controller.signal).catch(() => undefined);
    await reply.promise;
    controller.abort();
    await opening;
    await expect.poll(() => upstream.disconnects).toBe(1);
  });

  it('reads from the upstream only as fast as the client reads', async () => {
    const opening = open(client);
    const upstreamResponse = await reply.promise;
    upstreamResponse.writeHead(200, SSE);
    const text = 'x'.repeat(16_000);
    let written = 0;
    // 64 MiB is more than all buffers along the way.
    while (written < 4_000 && upstreamResponse.write(chatChunk({ content: text }))) written += 1;
    const response = await read(opening);
    while (written < 4_000) {
      const drained = new Promise((resolve) => upstreamResponse.once('drain', () => resolve(true)));
      const isStuck = !(await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, 500))]));
      if (isStuck) break;
      while (written < 4_000 && upstreamResponse.write(chatChunk({ content: text }))) written += 1;
    }
    expect(written).toBeLessThan(4_000);
    await response.cancel();
    await expect.poll(() => upstream.disconnects).toBe(1);
  });
});

describe('a stream with an upstream error', () => {
  it.each(EVERY)('of %s redacts the account', async (client) => {
    const opening = open(client);
    const upstreamResponse = await reply.promise;
    upstreamResponse.writeHead(200, SSE).write(chatChunk({ role: 'assistant', content: 'one' }));
    const response = await read(opening);
    await response.until(/one/);
    upstreamResponse.end(`data: {"error":{"message":"bad key sk-vendor-key at ${upstream.url}"}}\n\n`);
    const text = await response.rest();
    expect(text).toMatch(ERRORS[client]);
    expect(text).not.toMatch(/sk-vendor-key|127\.0\.0\.1/);
  });
});

describe('a response with invalid indices', () => {
  it('ends normally without crashing the gateway', async () => {
    const body = { model: 'ours', stream: true, n: 2, messages };
    const opening = rig.post('/v1/chat/completions', body);
    const chunk = { choices: [{ index: 7, delta: { content: 'late' }, finish_reason: 'stop' }] };
    (await reply.promise).writeHead(200, SSE).end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    expect(await (await opening).text()).toContain('late');
    expect((await rig.call('/health/live')).status).toBe(200);
  });
});

describe('the header of dropped fields', () => {
  it('stays within the size that proxies accept', async () => {
    const odd = Object.fromEntries(Array.from({ length: 4_000 }, (_none, at) => [`made_up_${at}`, 1]));
    const opening = rig.post('/v1/messages', { model: 'ours', max_tokens: 5, messages, ...odd });
    sendJson(await reply.promise, 200, chatResponse('hi'));
    const response = await opening;
    expect(response.status).toBe(200);
    expect(response.headers.get('x-sluice-dropped')).toMatch(/and \d+ more$/);
  });
});
