import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { expectRefusal } from '../../test/refusal.ts';
import { ROUTES } from '../../test/text-routes.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { MODELS, respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const { upstreams, models } = vendorConfig(upstream.url);
  const routes = [
    { upstream: 'messages', model: 'theirs' },
    { upstream: 'generative-content', model: 'theirs-too' },
  ];
  rig = await textRig({ upstreams, models: [...models, { id: 'twice', routes }] });
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.script = respondWith('hello');
});

const COUNTING = ROUTES.filter(({ name }) => /tokens/i.test(name));
const CALLS: Record<string, RegExp> = {
  [MODELS.responses]: /\/responses\/input_tokens$/,
  [MODELS.messages]: /\/messages\/count_tokens$/,
  [MODELS['generative-content']]: /:countTokens$/,
};

async function countOf(reply: Response): Promise<number> {
  const body = (await reply.json()) as { input_tokens?: number; totalTokens?: number };
  expect(reply.status, JSON.stringify(body)).toBe(200);
  return body.input_tokens ?? body.totalTokens ?? Number.NaN;
}

describe.each(COUNTING)('$name', ({ at, body, native }) => {
  it.each(Object.entries(CALLS))('are counted by %s', async (model, call) => {
    expect(await countOf(await rig.post(at(model), body(model)))).toBe(7);
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.path).toMatch(call);
    expect(upstream.requests[0]?.raw).toContain('hi');
  });

  it('are counted by an upstream of the protocol with an unchanged request, except for the model', async () => {
    const sent = { ...body(native), unknown_field: { of: 1 } };
    await countOf(await rig.post(at(native), sent));
    const { model: _renamed, ...rest } = sent as Record<string, unknown>;
    expect(upstream.requests[0]?.body).toMatchObject(rest);
    expect(upstream.requests[0]?.raw).not.toContain(native);
  });

  it('are estimated if the upstream cannot count', async () => {
    expect(await countOf(await rig.post(at('by-chat'), body('by-chat')))).toBeGreaterThan(0);
    expect(upstream.requests).toEqual([]);
    for (const status of [404, 405]) {
      upstream.script = (_request, response) => sendJson(response, status, { error: { message: 'no such call' } });
      for (const model of Object.keys(CALLS)) {
        expect(await countOf(await rig.post(at(model), body(model)))).toBeGreaterThan(0);
      }
    }
  });

  it('are estimated if the count is invalid', async () => {
    upstream.script = (_request, response) => sendJson(response, 200, { tokens: 'many' });
    for (const model of Object.keys(CALLS)) {
      expect(await countOf(await rig.post(at(model), body(model)))).toBeLessThan(50);
    }
  });

  it('are counted by the next upstream if the first is unavailable, and return an error if none is available', async () => {
    const count = respondWith('');
    upstream.script = (request, response) => {
      if (request.path.includes('count_tokens')) sendJson(response, 503, { error: { message: 'busy' } });
      else count(request, response);
    };
    expect(await countOf(await rig.post(at('twice'), body('twice')))).toBe(7);
    upstream.script = (_request, response) => sendJson(response, 503, { error: { message: 'busy' } });
    const refused = await rig.post(at('twice'), body('twice'));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('x-should-retry')).toBe('true');
  });

  it('are estimated if the response is not JSON, and counted by the next upstream if the connection breaks', async () => {
    upstream.script = (_request, response) => void response.end('<html>');
    for (const model of Object.keys(CALLS)) {
      expect(await countOf(await rig.post(at(model), body(model)))).toBeLessThan(50);
    }
    const count = respondWith('');
    upstream.script = (request, response) => {
      if (!request.path.includes('count_tokens')) return count(request, response);
      response.writeHead(200, { 'content-length': '999' }).write('{');
      setTimeout(() => response.socket?.destroy(), 20);
    };
    expect(await countOf(await rig.post(at('twice'), body('twice')))).toBe(7);
    expect((await rig.post(at(MODELS.messages), body(MODELS.messages))).status).toBe(502);
  });
});

it('counts a complete Gemini request like its parts', async () => {
  const generateContentRequest = {
    model: 'models/by-gemini',
    contents: [{ parts: [{ text: 'hi' }] }],
    systemInstruction: { parts: [{ text: 'be kind' }] },
  };
  for (const model of ['by-gemini', 'by-messages']) {
    const reply = await rig.post(`/v1beta/models/${model}:countTokens`, { generateContentRequest });
    expect(await reply.json()).toEqual({ totalTokens: 7 });
    expect(upstream.requests.at(-1)?.raw).toContain('be kind');
  }
  expect(upstream.requests[0]?.body).toMatchObject({
    generateContentRequest: { model: 'models/their-generative-content' },
  });
});

async function make(model: string): Promise<string> {
  const reply = await rig.post('/v1/responses', { model, input: 'one' });
  upstream.requests.length = 0;
  return ((await reply.json()) as { id: string }).id; // The cast is safe because every response has an id.
}

describe('a continued response', () => {
  const at = '/v1/responses/input_tokens';
  it.each(['by-messages', 'by-gemini', 'by-responses'])(
    'is counted with its earlier conversation, by %s',
    async (model) => {
      const previous = await make('by-chat');
      const request = { model, input: 'two', previous_response_id: previous, personality: 'pragmatic' };
      expect(await countOf(await rig.post(at, request))).toBe(7);
      const [{ raw } = { raw: '' }] = upstream.requests;
      expect(raw).toMatch(/"one".*"hello".*"two"/);
      expect(raw).not.toContain('previous_response_id');
      expect(raw.includes('pragmatic')).toBe(model === 'by-responses');
    },
  );

  it('is counted by the vendor that stores it', async () => {
    const previous_response_id = await make('by-responses');
    expect(await countOf(await rig.post(at, { model: 'by-responses', input: 'two', previous_response_id }))).toBe(7);
    expect(upstream.requests[0]?.body).toMatchObject({ input: 'two', previous_response_id });
  });

  it.each(['by-messages', 'by-responses'])('is not counted for another key, made by %s', async (model) => {
    const request = { model, input: 'two', previous_response_id: await make(model) };
    const reply = await rig.post(at, request, { headers: { authorization: `Bearer ${KEYS.bob}` } });
    const refusal = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' };
    await expectRefusal(reply, 'responses', refusal);
    expect(upstream.requests).toEqual([]);
  });
});

it('sends the upstream only the one of Gemini’s two forms that was read', async () => {
  const contents = [{ parts: [{ fileData: { fileUri: 'gs://theirs/secret' } }] }];
  const nested = { contents: [{ parts: [{ text: 'hi' }] }] };
  for (const request of [
    { generateContentRequest: nested, contents },
    { generateContentRequest: nested, generate_content_request: { contents } },
    { generate_content_request: nested },
  ]) {
    expect(await countOf(await rig.post('/v1beta/models/by-gemini:countTokens', request))).toBe(7);
    expect(upstream.requests.at(-1)?.body).toEqual({
      generateContentRequest: { ...nested, model: 'models/their-generative-content' },
    });
  }
});
