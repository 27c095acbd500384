import type { TextProtocolName } from '@sluice/canonical';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chatChunk,
  type Script,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { MODELS, respondWith, sendEvents, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const { upstreams, models } = vendorConfig(upstream.url);
  const routes = [
    { upstream: 'chat-completions', model: 'theirs' },
    { upstream: 'responses', model: 'theirs' },
  ];
  rig = await textRig({
    upstreams,
    models: [...models, { id: 'either', routes }],
    routing: { failures: 3, open_ms: 60_000, max_open_ms: 600_000 },
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const messages = [{ role: 'user', content: 'hi' }];
// The cast is needed because `Object.keys` returns `string[]`.
const PROTOCOLS = Object.keys(MODELS) as TextProtocolName[];

const sendRequest = (model: string, stream: boolean) => rig.post('/v1/chat/completions', { model, stream, messages });

/** Each vendor's error for an oversized prompt, sent with status 200. */
const TOO_LONG: Record<TextProtocolName, object> = {
  'chat-completions': { error: { code: 'context_length_exceeded', type: 'invalid_request_error', message: 'long' } },
  responses: {
    type: 'error',
    error: { code: 'context_length_exceeded', type: 'invalid_request_error', message: 'long' },
  },
  messages: { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 3 > 2' } },
  'generative-content': {
    error: { code: 400, status: 'INVALID_ARGUMENT', message: 'The input token count (3) exceeds the maximum (2).' },
  },
};
const reportsTooLong: Script = ({ path, body }, response) => {
  const name = PROTOCOLS.find((one) => path.startsWith(`/${one}/`)) ?? 'messages';
  const isStreamed = body['stream'] === true || path.includes(':stream');
  if (isStreamed) sendEvents(response, [TOO_LONG[name]]);
  else sendJson(response, 200, TOO_LONG[name]);
};
/** Starts a chat stream, then breaks the connection. */
const breaksOff: Script = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chatChunk({ role: 'assistant', content: 'one' }), () => response.destroy());
};

describe.each(PROTOCOLS)('a client error that %s sends with status 200', (protocol) => {
  it.each([true, false])(
    'has its own status, is not retried, and leaves the circuit closed (stream: %s)',
    async (stream) => {
      upstream.script = reportsTooLong;
      for (let count = 0; count < 5; count += 1) {
        const reply = await sendRequest(MODELS[protocol], stream);
        expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('context_length_exceeded')]);
      }
      expect(upstream.requests).toHaveLength(5);
    },
  );
});

describe('an error with status 200', () => {
  it.each([true, false])('is retried elsewhere only if that may help (stream: %s)', async (stream) => {
    upstream.script = reportsTooLong;
    expect((await sendRequest('either', stream)).status).toBe(400);
    expect(upstream.requests).toHaveLength(1);
    upstream.script = (request, response) => {
      if (request.path.includes('/responses')) return respondWith('from the other')(request, response);
      const error = { code: 'rate_limit_exceeded', message: 'slow down' };
      if (stream) sendEvents(response, [{ error }]);
      else sendJson(response, 200, { error });
    };
    expect(await (await sendRequest('either', stream)).text()).toContain('from the other');
  });

  it('opens the circuit if the upstream is the cause', async () => {
    upstream.script = (_request, response) => sendEvents(response, [{ error: { message: 'Oops.' } }]);
    for (let count = 0; count < 3; count += 1) expect((await sendRequest('by-chat', true)).status).toBe(502);
    expect((await sendRequest('by-chat', true)).status).toBe(503);
  });

  it('leaves the circuit closed if an error during a stream is about the request', async () => {
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ role: 'assistant', content: 'one' }));
      response.end('data: {"error":{"code":"content_filter","message":"no"}}\n\n');
    };
    for (let count = 0; count < 5; count += 1) {
      const reply = await sendRequest('by-chat', true);
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('content_filter')]);
    }
  });
});

describe('the circuit breaker', () => {
  it.each(['by-chat', 'either'])('opens for an upstream whose streams all break off (%s)', async (model) => {
    upstream.script = breaksOff;
    for (let count = 0; count < 3; count += 1) {
      const reply = await sendRequest('by-chat', true);
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('"error"')]);
    }
    upstream.script = respondWith('well again');
    const reply = await sendRequest(model, true);
    expect([reply.status, reply.headers.get('x-sluice-upstream')]).toEqual(
      model === 'either' ? [200, 'responses'] : [503, null],
    );
  });

  it('resets its failures after a complete stream', async () => {
    for (let count = 0; count < 3; count += 1) {
      for (const script of [breaksOff, breaksOff, respondWith('through')]) {
        upstream.script = script;
        const reply = await sendRequest('by-chat', true);
        expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
      }
    }
  });

  it('ignores clients that disconnect during a stream', async () => {
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ role: 'assistant', content: 'one' }));
    };
    for (let count = 0; count < 5; count += 1) {
      const controller = new AbortController();
      const body = { model: 'by-chat', stream: true, messages };
      const reply = await rig.post('/v1/chat/completions', body, { signal: controller.signal });
      expect(reply.status).toBe(200);
      controller.abort();
      await expect.poll(() => upstream.disconnects).toBe(count + 1);
    }
  });
});

/** Returns the log lines that contain a text. */
function lines(text: string): string[] {
  return rig
    .logs()
    .split('\n')
    .filter((line) => line.includes(text));
}

describe('the log', () => {
  const PROMPT = 'my grandmother’s recipe';
  const MESSAGE = `${PROMPT} ${'and so on '.repeat(30)}the end`;
  const ERROR = {
    message: MESSAGE,
    code: 'server_error',
    org: 'org-abcdefgh1234',
    host: 'gpu7.internal.vendor.example',
  };

  it('contains code and status of a broken response, and at most 200 characters of its message', async () => {
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ role: 'assistant', content: 'one' }));
      response.end(`data: ${JSON.stringify({ error: ERROR })}\n\n`);
    };
    await (await sendRequest('by-chat', true)).text();
    const [line = '{}'] = lines('response interrupted');
    const { err } = JSON.parse(line) as { err: Record<string, unknown> };
    expect(err).toMatchObject({ code: 'provider_error', status: 502 });
    expect(String(err['message']).length).toBeLessThanOrEqual(200);
    expect(rig.logs()).not.toMatch(/org-abcdefgh1234|gpu7|the end/);
  });

  it('omits the body of a vendor’s error', async () => {
    upstream.script = (_request, response) => sendJson(response, 500, { error: ERROR });
    for (const model of Object.values(MODELS)) expect((await sendRequest(model, false)).status).toBe(502);
    const errors = lines('"err"').map((line) => (JSON.parse(line) as { err: unknown }).err);
    expect(errors).toEqual(errors.map(() => expect.objectContaining({ code: 'provider_error', upstream_status: 500 })));
    expect(errors).toHaveLength(4);
    expect(JSON.stringify(errors)).not.toContain('the end');
    expect(rig.logs()).not.toMatch(/org-abcdefgh1234|gpu7/);
  });

  it('omits the text of an invalid response', async () => {
    upstream.script = (_request, response) => sendJson(response, 200, { note: PROMPT });
    for (const model of Object.values(MODELS)) await (await sendRequest(model, false)).text();
    expect(rig.logs()).not.toContain(PROMPT);
  });

  it('contains the code of a broken connection', async () => {
    upstream.script = breaksOff;
    await (await sendRequest('by-chat', true)).text();
    const [line = '{}'] = lines('response interrupted');
    const { err } = JSON.parse(line) as { err: unknown };
    expect(err).toMatchObject({
      code: 'provider_error',
      cause: { type: 'UpstreamError', failure: 'reset', cause: { code: expect.stringMatching(/^[A-Z_]+$/) } },
    });
  });
});
