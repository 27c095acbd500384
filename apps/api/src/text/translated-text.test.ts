import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chatResponse,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { sendEvents } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;

beforeEach(async () => {
  upstream = await scriptedUpstream((_request, response) => sendJson(response, 200, chatResponse('ok')));
  rig = await textRig({
    upstreams: {
      chat: { kind: 'chat-completions', base_url: `${upstream.url}/v1`, api_key: 'sk-vendor' },
      google: { kind: 'generative-content', base_url: `${upstream.url}/v1`, api_key: 'sk-vendor' },
      openai: { kind: 'responses', base_url: `${upstream.url}/v1`, api_key: 'sk-vendor' },
      anthropic: { kind: 'messages', base_url: upstream.url, api_key: 'sk-vendor' },
    },
    models: [
      { id: 'openai', routes: [{ upstream: 'chat', model: 'gpt-4.1' }] },
      { id: 'claude', routes: [{ upstream: 'anthropic', model: 'claude-3-5-haiku' }] },
      { id: 'gemini', routes: [{ upstream: 'google', model: 'gemini-3-flash' }] },
      { id: 'opus', routes: [{ upstream: 'anthropic', model: 'claude-opus-4-6' }] },
      { id: 'gpt', routes: [{ upstream: 'openai', model: 'gpt-5' }] },
      { id: 'other', routes: [{ upstream: 'chat', model: 'qwen3' }] },
    ],
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const text = (value: string) => ({ type: 'text', text: value });

describe('texts in several blocks', () => {
  it.each([
    ['openai', [text('Summ'), text('arise')]],
    ['other', 'Summarise'],
  ])('reach the model %s without added characters', async (model, content) => {
    const response = await rig.post('/v1/messages', {
      model,
      max_tokens: 10,
      messages: [{ role: 'user', content: [text('Summ'), text('arise')] }],
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-sluice-dropped')).toBeNull();
    expect(upstream.requests[0]?.body['messages']).toEqual([{ role: 'user', content }]);
  });
});

describe('a forced tool with a schema', () => {
  it('remains forced for models without native schemas, and the header names the schema', async () => {
    upstream.script = (_request, response) =>
      sendJson(response, 200, {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {} }],
        stop_reason: 'tool_use',
        usage: { input_tokens: 1, output_tokens: 1 },
      });
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const response = await rig.post('/v1/chat/completions', {
      model: 'claude',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'function', function: { name: 'look_up', parameters: schema, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'look_up' } },
      response_format: { type: 'json_schema', json_schema: { name: 'result', schema } },
    });
    expect(await response.json()).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
    expect(upstream.requests[0]?.body['tool_choice']).toEqual({ type: 'tool', name: 'look_up' });
    expect(response.headers.get('x-sluice-dropped')).toBe('response_format, tools[].strict');
  });
});

describe.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'OTHER'])(
  'a response that ends with %s after text',
  (finishReason) => {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Let me' }] }, finishReason }];
    const chat = { messages: [{ role: 'user', content: 'hi' }] };
    const requests: [path: string, body: object, end: RegExp][] = [
      ['/v1/chat/completions', chat, /^data: \{"error":/],
      ['/v1/messages', { ...chat, max_tokens: 10 }, /^event: error\n/],
      ['/v1/responses', { input: 'hi' }, /^event: response\.failed\n/],
    ];

    it.each(requests)('is an error at %s', async (path, body, end) => {
      upstream.script = (_request, response) => sendJson(response, 200, { candidates });
      const buffered = await rig.post(path, { ...body, model: 'gemini' });
      expect(buffered.status).toBe(502);

      upstream.script = (_request, response) => sendEvents(response, [{ candidates }]);
      const streamed = await (await rig.post(path, { ...body, model: 'gemini', stream: true })).text();
      expect(streamed).toContain('Let me');
      expect(streamed.trimEnd().split('\n\n').at(-1)).toMatch(end);
    });
  },
);

it('reports an unsupported language as filtered content', async () => {
  const candidates = [{ content: { role: 'model', parts: [{ text: 'Let me' }] }, finishReason: 'LANGUAGE' }];
  upstream.script = (_request, response) => sendJson(response, 200, { candidates });
  const chat = await rig.post('/v1/chat/completions', { model: 'gemini', messages: [{ role: 'user', content: 'hi' }] });
  expect(await chat.json()).toMatchObject({ choices: [{ finish_reason: 'content_filter' }] });
  const responses = await rig.post('/v1/responses', { model: 'gemini', input: 'hi' });
  expect(await responses.json()).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  });
});

describe('a request to see reasoning', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const thinking = { type: 'enabled', budget_tokens: 2_048 };
  const contents = [{ parts: [{ text: 'hi' }] }];
  const generationConfig = { thinkingConfig: { includeThoughts: true } };
  const summarized = { thinking: { type: 'adaptive', display: 'summarized' } };
  const includesThoughts = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
  const summary = { reasoning: { summary: 'auto' } };

  it.each([
    ['/v1/responses', { input: 'hi', reasoning: { summary: 'auto' } }, 'opus', summarized],
    ['/v1/responses', { input: 'hi', reasoning: { summary: 'auto' } }, 'gemini', includesThoughts],
    ['/v1/messages', { max_tokens: 9_000, thinking, messages }, 'gpt', summary],
    ['/v1/messages', { max_tokens: 9_000, thinking, messages }, 'gemini', includesThoughts],
    ['/v1beta/models/opus:generateContent', { contents, generationConfig }, 'opus', summarized],
    ['/v1beta/models/gpt:generateContent', { contents, generationConfig }, 'gpt', summary],
  ])('at %s with %j reaches the model %s as %j', async (path, body, model, sent) => {
    upstream.script = (_request, response) => sendJson(response, 400, { error: { message: 'not needed' } });
    await rig.post(path, path.startsWith('/v1beta') ? body : { ...body, model });
    expect(upstream.requests[0]?.body).toMatchObject(sent);
  });
});
