import { fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunningSandbox, startSandbox } from '../start-sandbox.ts';
import type { TextRequest } from './text-request.ts';
import { createRequestLog } from './request-log.ts';
import { serveText } from './serve-text.ts';
import { createTextFaults } from './text-faults.ts';
import { createSecretStore } from './secret-store.ts';
import { createAwsSessions } from './aws-sessions.ts';
import { WireError } from '../http/wire-error.ts';

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

interface Seen {
  wire: string;
  path: string;
  model: string;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
  left: boolean;
  left_after_ms: number | null;
}

const WIRES = [
  {
    wire: 'chat-completions',
    buildRequest: (text: string, stream: boolean) => ({
      url: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-sandbox' },
      body: { model: 'm', stream, messages: [{ role: 'user', content: text }] },
    }),
    overloaded: 503,
    failure: '"error":{"message"',
    end: 'data: [DONE]\n\n',
  },
  {
    wire: 'responses',
    buildRequest: (text: string, stream: boolean) => ({
      url: '/v1/responses',
      headers: { authorization: 'Bearer sk-sandbox' },
      body: { model: 'm', stream, input: text },
    }),
    overloaded: 503,
    failure: 'event: response.failed\n',
    end: 'event: response.completed\n',
  },
  {
    wire: 'messages',
    buildRequest: (text: string, stream: boolean) => ({
      url: '/v1/messages?beta=true',
      headers: { 'x-api-key': 'sk-sandbox', 'anthropic-version': '2023-06-01' },
      body: { model: 'm', max_tokens: 1e6, stream, messages: [{ role: 'user', content: text }] },
    }),
    overloaded: 529,
    failure: 'event: error\n',
    end: 'event: message_stop\n',
  },
  {
    wire: 'generative-content',
    buildRequest: (text: string, stream: boolean) => ({
      url: `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      headers: { 'x-goog-api-key': 'sk-sandbox' },
      body: { contents: [{ parts: [{ text }] }] },
    }),
    overloaded: 503,
    failure: '"status":"UNAVAILABLE"',
    end: '"finishReason":"STOP"',
  },
] as const;

async function seen(clear = ''): Promise<Seen[]> {
  const response = await fetch(`${sandbox.url}/_sandbox/requests${clear}`);
  const { requests } = (await response.json()) as { requests: Seen[] };
  return requests;
}

describe.each(WIRES)('the $wire API', ({ wire, buildRequest, overloaded, failure, end }) => {
  function call(text: string, stream = false, signal?: AbortSignal) {
    const { url, headers, body } = buildRequest(text, stream);
    return fetch(`${sandbox.url}${url}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  }
  it('echoes multi-byte text, buffered and streamed', async () => {
    expect(await (await call('你好 🌍 over there')).text()).toContain('You said: 你好 🌍 over there');
    const streamed = await (await call('你好 🌍 over there', true)).text();
    expect(streamed).toContain('🌍');
    expect(streamed).toContain(end);
  });

  it('fails twice with [429] and [500], then responds', async () => {
    const statuses = [];
    for (let turn = 0; turn < 5; turn += 1) statuses.push((await call('x [429] [500]')).status);
    expect(statuses).toEqual([429, 429, 500, 500, 200]);
  });

  it('is always overloaded, also before a stream', async () => {
    for (const stream of [false, true]) expect((await call('[overloaded]', stream)).status).toBe(overloaded);
  });

  it('aborts a stream with an error in the vendor’s format, and otherwise responds with 500', async () => {
    const text = await (await call('one two three four five six [error]', true)).text();
    expect(text).toContain(failure);
    expect(text).not.toContain(end);
    expect((await call('[error]')).status).toBe(500);
  });

  it('drops the connection after half of a stream or body', async () => {
    for (const stream of [false, true]) {
      const response = await call('one two three four five six [cut]', stream);
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    }
    await vi.waitFor(async () => expect(await seen()).toMatchObject([{ left: false }, { left: false }]), 30_000);
  });

  it('sends 200 with something other than JSON', async () => {
    const response = await call('[garbage]');
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow();
  });

  it('delays the first byte and the frames', async () => {
    const started = performance.now();
    await (await call('[slow:0.2] [drip:50] a b c d', true)).text();
    expect(performance.now() - started).toBeGreaterThan(240);
  });

  it('stops generating when its client disconnects, and logs when', async () => {
    const closeSignal = new AbortController();
    const response = await call('[long:100000] [drip:20]', true, closeSignal.signal);
    await response.body?.getReader().read();
    closeSignal.abort();
    await vi.waitFor(async () => expect((await seen())[0]).toMatchObject({ wire, status: 200, left: true }), 30_000);
    expect((await seen())[0]?.left_after_ms).toBeGreaterThanOrEqual(0);
  });

  it('logs a client that disconnects before the first byte', async () => {
    const closeSignal = new AbortController();
    const response = call('[slow:60]', false, closeSignal.signal);
    await vi.waitFor(async () => expect(await seen()).toHaveLength(1), 30_000);
    closeSignal.abort();
    await expect(response).rejects.toThrow();
    await vi.waitFor(async () => expect((await seen())[0]).toMatchObject({ left: true, left_after_ms: null }), 30_000);
  });

  it('writes as fast as a slow reader reads', async () => {
    const text = await (await call('[long:20000]', true)).text();
    expect(text).toContain('word20000');
    expect(text).toContain(end);
  });

  it('logs requests without credentials until they are cleared', async () => {
    const response = await call('hi');
    await response.text();
    const [request] = await seen('?clear=1');
    expect(request).toMatchObject({ wire, model: 'm', status: 200, left: false, body: buildRequest('hi', false).body });
    expect(JSON.stringify(request)).not.toContain('sk-sandbox');
    expect(await seen()).toEqual([]);
  });
});

it('never sends the finish reason in a stream that breaks, however short', async () => {
  for (const word of ['error', 'cut']) {
    const response = fetch(`${sandbox.url}/v1beta/models/m:streamGenerateContent?alt=sse&key=sk-sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ parts: [{ text: `[${word}] a` }] }] }),
    });
    const text = await response.then((stream) => stream.text()).catch(() => '');
    expect(text).not.toContain('STOP');
  }
});

it('generates no more frames after its client disconnects', async () => {
  const incoming: TextRequest = {
    model: 'm',
    turns: [{ role: 'user', text: 'hi', images: 0 }],
    tools: [],
    toolUse: 'auto',
    parallel: true,
    requestsReasoning: false,
    stops: [],
  };
  let ended = false;
  function* endless(): Generator<string> {
    try {
      for (;;) yield 'data: more\n\n';
    } finally {
      ended = true;
    }
  }
  const vendor = {
    apiKey: 'sk-sandbox',
    accessKey: 'ak-sandbox',
    now: () => 0,
    newId: () => '0',
    secretStore: createSecretStore(''),
    awsSessions: createAwsSessions(Date.now, () => ''),
    faults: createTextFaults(),
    log: createRequestLog(() => 0),
  };
  const wire = { name: 'messages', fault: () => new WireError(500, '', () => ({})) } as const;
  const call = { request: incoming, stream: true, body: () => ({}), frames: endless, failure: () => '' };
  const app = fastify({ forceCloseConnections: true });
  app.get('/', (_request, reply) => serveText(vendor, wire, call, reply));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const closeSignal = new AbortController();
  const response = await fetch(url, { signal: closeSignal.signal });
  await response.body?.getReader().read();
  expect(ended).toBe(false);
  closeSignal.abort();
  await vi.waitFor(() => expect(ended).toBe(true), 30_000);
  await app.close();
});
