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

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let rig: TextRig;

const chatParams = { model: 'ours', messages: [{ role: 'user', content: 'hi' }] };
const SSE = { 'content-type': 'text/event-stream' };

beforeEach(async () => {
  first = await scriptedUpstream((_request, response) => sendJson(response, 200, chatResponse('from the first')));
  second = await scriptedUpstream((_request, response) => sendJson(response, 200, chatResponse('from the second')));
  rig = await textRig({
    upstreams: {
      first: { kind: 'chat-completions', base_url: `${first.url}/v1`, api_key: 'sk-first-vendor' },
      second: { kind: 'chat-completions', base_url: `${second.url}/v1`, api_key: 'sk-second-vendor' },
    },
    models: [
      {
        id: 'ours',
        routes: [
          { upstream: 'first', model: 'theirs' },
          { upstream: 'second', model: 'theirs-too' },
        ],
      },
      { id: 'alone', routes: [{ upstream: 'first', model: 'theirs' }] },
      { id: 'strict', routes: [{ upstream: 'first', model: 'theirs' }], strict: true },
    ],
    timeouts: { keep_alive_ms: 1_000 },
    routing: { failures: 2, open_ms: 60_000, max_open_ms: 60_000 },
  });
});
afterEach(async () => {
  await rig.close();
  await Promise.all([first.close(), second.close()]);
});

async function textOf(response: Response): Promise<string> {
  const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
  return choices[0].message.content;
}

describe('a relayed request', () => {
  it("reaches the upstream unchanged except for the model, with the upstream's credential only", async () => {
    const body = '{"model":"ours","unknown_field":{"of":1.0},"messages":[{"role":"user","content":"你"}]}';
    const response = await rig.post('/v1/chat/completions', body, { headers: { cookie: 'a=b', 'x-api-key': 'mine' } });
    expect(response.status).toBe(200);
    expect(first.requests[0]?.raw).toBe(body.replace('"ours"', '"theirs"'));
    const headers = first.requests[0]?.headers;
    expect(headers?.authorization).toBe('Bearer sk-first-vendor');
    expect(headers?.cookie).toBeUndefined();
    expect(headers?.['x-api-key']).toBeUndefined();
  });

  it('returns the requested model and names the upstream in a header', async () => {
    const response = await rig.post('/v1/chat/completions', chatParams);
    expect(await response.json()).toMatchObject({ model: 'ours', id: 'chatcmpl-1' });
    expect(response.headers.get('x-sluice-upstream')).toBe('first');
    expect(response.headers.get('x-sluice-model')).toBe('theirs');
    expect(response.headers.get('x-sluice-dropped')).toBeNull();
  });

  it("passes on the vendor's message about an invalid request", async () => {
    const refusal = {
      error: { message: 'no such image', type: 'invalid_request_error', param: 'messages', code: 'x9' },
    };
    first.script = (_request, response) => sendJson(response, 400, refusal);
    const response = await rig.post('/v1/chat/completions', chatParams);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(refusal);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(second.requests).toHaveLength(0);
  });
});

it.each([
  ['false', 503, 0],
  ['true', 200, 1],
])('a 503 with x-should-retry: %s results in %i', async (shouldRetry, status, calls) => {
  first.script = (_request, response) => {
    response.setHeader('x-should-retry', shouldRetry);
    sendJson(response, 503, { error: { message: 'busy' } });
  };
  const response = await rig.post('/v1/chat/completions', chatParams);
  expect(response.status).toBe(status);
  expect(second.requests).toHaveLength(calls);
  if (status === 503) expect(response.headers.get('x-should-retry')).toBe('false');
});

describe('a translated request', () => {
  it('reports and logs dropped fields', async () => {
    const response = await rig.post('/v1/messages', {
      model: 'ours',
      max_tokens: 10,
      top_k: 4,
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(await response.json()).toMatchObject({ type: 'message', model: 'ours', stop_reason: 'end_turn' });
    expect(response.headers.get('x-sluice-dropped')).toBe('top_k');
    await expect.poll(() => rig.logs()).toContain('"dropped":["top_k"]');
  });

  it('is rejected in strict mode', async () => {
    const response = await rig.post('/v1/messages', {
      model: 'strict',
      max_tokens: 10,
      top_k: 4,
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(first.requests).toHaveLength(0);
  });
});

describe('when an upstream fails before its first byte', () => {
  it.each([401, 403, 404, 408, 429, 500, 502, 503])('the next one is called after %i', async (status) => {
    first.script = (_request, response) => sendJson(response, status, { error: { message: 'no' } });
    const response = await rig.post('/v1/chat/completions', chatParams);
    expect(await textOf(response)).toBe('from the second');
    expect(response.headers.get('x-sluice-upstream')).toBe('second');
    expect(second.requests[0]?.raw).toBe(first.requests[0]?.raw.replace('"theirs"', '"theirs-too"'));
    // The failure is only reported to the operator.
    expect(rig.logs()).toMatch(/"level":"warn"[^\n]*"upstream":"first"/);
    expect(await (await rig.call('/metrics')).text()).toMatch(
      /sluice_upstream_failures_total\{upstream="first",code="\w+"\} 1/,
    );
  });

  it.each([400, 413, 422])('no other is called after %i', async (status) => {
    first.script = (_request, response) => sendJson(response, status, { error: { message: 'no' } });
    expect((await rig.post('/v1/chat/completions', chatParams)).status).toBe(status);
    expect(second.requests).toHaveLength(0);
  });

  it('a conflict that no upstream resolves keeps its status and text', async () => {
    const conflict = { error: { message: 'The resource is being changed.', type: 'conflict_error' } };
    for (const one of [first, second]) one.script = (_request, response) => sendJson(response, 409, conflict);
    const response = await rig.post('/v1/chat/completions', chatParams);
    expect([response.status, await response.json()]).toEqual([409, conflict]);
    expect(response.headers.get('x-should-retry')).toBe('true');
    expect(second.requests).toHaveLength(1);
  });

  it('the next one is called after a broken connection or an empty stream', async () => {
    first.script = (_request, response) => void response.socket?.destroy();
    expect(await textOf(await rig.post('/v1/chat/completions', chatParams))).toBe('from the second');
    first.script = (_request, response) => void response.writeHead(200, SSE).end();
    second.script = (_request, response) =>
      void response.writeHead(200, SSE).end(`${chatChunk({ content: 'B' })}${chatChunk({}, 'stop')}data: [DONE]\n\n`);
    const streamed = await rig.post('/v1/chat/completions', { ...chatParams, stream: true });
    expect(streamed.headers.get('x-sluice-upstream')).toBe('second');
    expect(await streamed.text()).toContain('"B"');
  });

  it('a credential that the upstream rejects is a gateway error', async () => {
    first.script = (_request, response) => sendJson(response, 401, { error: { message: 'bad key sk-first-vendor' } });
    const response = await rig.post('/v1/chat/completions', { ...chatParams, model: 'alone' });
    expect(response.status).toBe(502);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'provider_auth' } });
    expect(text).not.toContain('sk-first-vendor');
  });

  it("a failing upstream's circuit opens, and clients get a retry time", async () => {
    first.script = (_request, response) => sendJson(response, 500, { error: { message: 'no' } });
    await rig.post('/v1/chat/completions', { ...chatParams, model: 'alone' });
    await rig.post('/v1/chat/completions', { ...chatParams, model: 'alone' });
    const response = await rig.post('/v1/chat/completions', { ...chatParams, model: 'alone' });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(10);
    expect(first.requests).toHaveLength(2);
    expect(await textOf(await rig.post('/v1/chat/completions', chatParams))).toBe('from the second');
    expect(first.requests).toHaveLength(2);
  });
});

describe('a conversation', () => {
  it('stays with the upstream that served it', async () => {
    first.script = (_request, response) => sendJson(response, 503, { error: { message: 'busy' } });
    await rig.post('/v1/chat/completions', chatParams);
    first.script = (_request, response) => sendJson(response, 200, chatResponse('from the first'));
    const turns = [...chatParams.messages, { role: 'assistant', content: 'x' }, { role: 'user', content: 'and then?' }];
    expect(await textOf(await rig.post('/v1/chat/completions', { ...chatParams, messages: turns }))).toBe(
      'from the second',
    );
    const other = { ...chatParams, messages: [{ role: 'user', content: 'something else' }] };
    expect(await textOf(await rig.post('/v1/chat/completions', other))).toBe('from the first');
  });
});
