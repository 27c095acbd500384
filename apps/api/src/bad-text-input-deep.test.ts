import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../test/refusal.ts';
import { ROUTES, type TextRoute } from '../test/text-routes.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../test/text-rig.ts';
import { says, vendorConfig } from '../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(says('hello'));
  rig = await textRig(vendorConfig(upstream.url));
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.script = says('hello');
});

function routeOf(name: string): TextRoute {
  const found = ROUTES.find((route) => route.name === name);
  if (!found) throw new Error(`there is no route ${name}`);
  return found;
}

const second = (content: unknown) => [
  { role: 'user', content: 'hi' },
  { role: 'user', content },
];
const says5 = (name: string, value: unknown) => ({ type: name, [name]: value });
const called = (call: unknown) => ({ messages: [{ role: 'assistant', tool_calls: [call] }] });
const parts = (...given: unknown[]) => ({ contents: [{ role: 'user', parts: given }] });

/** What only a decoder sees: route, members beside the least body, the field that is wrong. */
const DEEP: [name: string, members: Record<string, unknown>, param: string][] = [
  ['chat completions', { messages: [5] }, 'messages[0]'],
  ['chat completions', { messages: [null] }, 'messages[0]'],
  ['chat completions', { messages: [{ role: 'wizard', content: 'x' }] }, 'messages[0][role]'],
  ['chat completions', { messages: second(5) }, 'messages[1][content]'],
  ['chat completions', { messages: second([null]) }, 'messages[1][content][0]'],
  ['chat completions', { messages: second([{ text: 'x' }]) }, 'messages[1][content][0][type]'],
  ['chat completions', { messages: second([says5('text', 5)]) }, 'messages[1][content][0][text]'],
  ['chat completions', { messages: second([says5('image_url', 5)]) }, 'messages[1][content][0][image_url]'],
  ['chat completions', { messages: second([says5('image_url', {})]) }, 'messages[1][content][0][image_url][url]'],
  [
    'chat completions',
    { messages: second([says5('image_url', { url: 'data:image/png;base64,%%%' })]) },
    'messages[1][content][0][image_url][url]',
  ],
  [
    'chat completions',
    { messages: second([says5('input_audio', { format: 'wav' })]) },
    'messages[1][content][0][input_audio][data]',
  ],
  ['chat completions', { messages: second([says5('file', {})]) }, 'messages[1][content][0][file]'],
  ['chat completions', { messages: [{ role: 'assistant', tool_calls: {} }] }, 'messages[0][tool_calls]'],
  ['chat completions', called(5), 'messages[0][tool_calls][0]'],
  [
    'chat completions',
    called({ id: 'c', type: 'function', function: {} }),
    'messages[0][tool_calls][0][function][name]',
  ],
  ['chat completions', { messages: [{ role: 'tool', content: 'x' }] }, 'messages[0][tool_call_id]'],
  ['chat completions', { tools: [5] }, 'tools[0]'],
  ['chat completions', { tools: [{ type: 'function', function: {} }] }, 'tools[0][function][name]'],
  [
    'chat completions',
    { tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] },
    'tools[0][function][parameters]',
  ],
  ['chat completions', { tool_choice: { type: 'function' } }, 'tool_choice[function]'],
  ['chat completions', { response_format: { type: 'yaml' } }, 'response_format[type]'],
  ['chat completions', { response_format: { type: 'json_schema' } }, 'response_format[json_schema]'],
  ['messages', { messages: [5] }, 'messages[0]'],
  ['messages', { messages: [{ role: 'wizard', content: 'x' }] }, 'messages[0][role]'],
  ['messages', { messages: second(true) }, 'messages[1][content]'],
  ['messages', { messages: second(['x']) }, 'messages[1][content][0]'],
  ['messages', { messages: second([says5('text', {})]) }, 'messages[1][content][0][text]'],
  ['messages', { messages: second([{ type: 'image' }]) }, 'messages[1][content][0][source]'],
  ['messages', { messages: second([{ type: 'image', source: {} }]) }, 'messages[1][content][0][source][type]'],
  [
    'messages',
    { messages: second([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '%' } }]) },
    'messages[1][content][0][source][data]',
  ],
  [
    'messages',
    { messages: second([{ type: 'image', source: { type: 'url', url: 5 } }]) },
    'messages[1][content][0][source][url]',
  ],
  ['the tokens of messages', { messages: second(5) }, 'messages[1][content]'],
  ['responses', { input: [{}] }, 'input[0][type]'],
  ['responses', { input: second(5) }, 'input[1][content]'],
  ['responses', { input: second([null]) }, 'input[1][content][0]'],
  ['responses', { input: second([{ type: 'input_image', image_url: 5 }]) }, 'input[1][content][0][image_url]'],
  ['responses', { input: second([{ type: 'input_file', file_data: 5 }]) }, 'input[1][content][0][file_data]'],
  ['responses', { input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }, 'input[0][call_id]'],
  ['responses', { input: [{ type: 'function_call_output', call_id: 'c', output: 5 }] }, 'input[0][output]'],
  ['responses', { tools: [{}] }, 'tools[0][type]'],
  ['responses', { tool_choice: { type: 5 } }, 'tool_choice[type]'],
  ['responses', { text: { format: { type: 'json_schema', name: 'n', schema: 5 } } }, 'text[format][schema]'],
  ['the tokens of responses', { input: second(5) }, 'input[1][content]'],
  ['/v1 generateContent', { contents: [{ role: 'wizard', parts: [{ text: 'x' }] }] }, 'contents[0][role]'],
  ['/v1 generateContent', { contents: [{ parts: 5 }] }, 'contents[0][parts]'],
  ['/v1 generateContent', parts(5), 'contents[0][parts][0]'],
  ['/v1 generateContent', parts({ inlineData: { data: '%' } }), 'contents[0][parts][0][inlineData][data]'],
  ['/v1 generateContent', parts({ functionCall: {} }), 'contents[0][parts][0][functionCall][name]'],
  ['/v1 generateContent', { tools: [{ functionDeclarations: [{}] }] }, 'tools[0][functionDeclarations][0][name]'],
  ['/v1 generateContent', { generationConfig: { temperature: 'x' } }, 'generationConfig[temperature]'],
  ['/v1 generateContent', { generationConfig: { stopSequences: 5 } }, 'generationConfig[stopSequences]'],
];

const VENDOR_SAYS = {
  type: 'error',
  error: {
    message: 'our own words',
    type: 'invalid_request_error',
    param: 'deep',
    code: 400,
    status: 'INVALID_ARGUMENT',
  },
};

describe.each(DEEP)('%s with %j', (name, members, param) => {
  const { at, body, native, foreign, protocol } = routeOf(name);

  it('is refused by path when it has to be translated, whole and streamed', async () => {
    const sent = { ...body(foreign), ...members };
    const wanted = { status: 400, code: 'invalid_request', param };
    await expectRefusal(await rig.post(at(foreign), sent), protocol, wanted);
    await expectRefusal(await rig.post(at(foreign), { ...sent, stream: true }), protocol, wanted);
    expect(upstream.requests).toEqual([]);
  });

  it('is the vendor’s to judge when it is relayed', async () => {
    const sent = { ...body(native), ...members };
    upstream.script = (_request, response) => sendJson(response, 400, VENDOR_SAYS);
    const reply = await rig.post(at(native), sent);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toEqual(VENDOR_SAYS);
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.body).toMatchObject(members);
  });
});

describe.each(ROUTES)('hostile JSON for $name', ({ at, body, native, foreign }) => {
  const models = [native, foreign];

  async function send(model: string, text: string): Promise<number> {
    const reply = await rig.post(at(model), text);
    const told = await reply.text();
    expect(told).not.toMatch(/internal_error|INTERNAL|api_error|server_error/);
    return reply.status;
  }
  const withMember = (model: string, member: string) => `${JSON.stringify(body(model)).slice(0, -1)},${member}}`;

  it.each(models)('keys named like a prototype pollute nothing: %s', async (model) => {
    const evil = '{"polluted":true,"status":"polluted"}';
    for (const member of [
      `"__proto__":${evil}`,
      `"constructor":{"prototype":${evil}}`,
      `"metadata":{"__proto__":${evil}}`,
    ]) {
      expect(await send(model, withMember(model, member))).toBeLessThan(500);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('status');
    // A model that is told by the prototype alone is none.
    const bare = await rig.post(at(''), '{"__proto__":{"model":"by-chat","messages":[],"input":"x","contents":[]}}');
    expect(bare.status).toBeGreaterThanOrEqual(400);
    expect(bare.status).toBeLessThan(500);
  });

  it.each(models)('nesting of 10,000 levels breaks nothing: %s', async (model) => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    for (const [field, value] of [
      ['unheard_of', deep],
      ['metadata', objects],
      ['tools', deep],
      ['messages', deep],
      ['input', deep],
      ['contents', deep],
      ['response_format', objects],
      ['generationConfig', objects],
    ] as const) {
      expect(await send(model, withMember(model, `"${field}":${value}`)), field).toBeLessThan(500);
    }
    // Within the conversation, where decoders go down.
    const text = JSON.stringify(body(model)).replace('"hi"', deep);
    expect(await send(model, text)).toBeLessThan(500);
    expect((await rig.call('/health/live')).status).toBe(200);
  });

  it.each(models)('lone surrogates, NUL and control characters are text like any other: %s', async (model) => {
    const odd = String.raw`a\ud800b\u0000c\udfffd\u0007\u2028`;
    expect(await send(model, JSON.stringify(body(model)).replace('hi', odd))).toBe(200);
    expect(upstream.requests.length).toBeLessThanOrEqual(1);
    for (const { raw } of upstream.requests) expect(() => JSON.parse(raw) as unknown).not.toThrow();
  });

  it.each(models)('numbers beyond all bounds are refused or passed on: %s', async (model) => {
    for (const field of [
      'temperature',
      'max_tokens',
      'max_output_tokens',
      'seed',
      'top_k',
      'n',
      'top_p',
      'unheard_of',
    ]) {
      for (const value of ['1e999', '-1e999', '9007199254740993', '1e-400', '-0', '123456789012345678901234567890']) {
        expect(await send(model, withMember(model, `"${field}":${value}`)), `${field}: ${value}`).toBeLessThan(500);
      }
    }
  });

  it.each(models)('bytes that are no UTF-8 break nothing: %s', async (model) => {
    const [before = '', after = ''] = JSON.stringify(body(model)).split('"hi"');
    const bytes = Buffer.concat([
      Buffer.from(`${before}"`),
      Buffer.of(0xff, 0xc3, 0xed, 0xa0, 0x80),
      Buffer.from(`"${after}`),
    ]);
    const { status } = await fetch(rig.origin + at(model), {
      method: 'POST',
      body: bytes,
      headers: { authorization: 'Bearer sk-alice-key', 'content-type': 'application/json', 'messages-version': '1' },
    });
    expect(status).toBeLessThan(500);
  });
});

const messages = [{ role: 'user', content: 'hi' }];

/** A request whose members may stand twice. */
function twice(members: string): Promise<Response> {
  return rig.post('/v1/chat/completions', `{"messages":${JSON.stringify(messages)},${members}}`);
}

describe('a member that stands twice', () => {
  it.each([
    String.raw`"model":"by-chat","model":"no-such-model"`,
    String.raw`"model":"no-such-model","model":"by-chat"`,
    String.raw`"model":"by-chat","mod\u0065l":"no-such-model"`,
    String.raw`"model":"by-chat","temperature":1,"temper\u0061ture":5`,
    String.raw`"padding":"${'x'.repeat(70_000)}","model":"no-such-model","mod\u0065l":"by-chat"`,
  ])('is refused, so that nobody can check one and serve the other: %.40s', async (members) => {
    const reply = await twice(members);
    expect(reply.status).toBe(400);
    expect(upstream.requests).toEqual([]);
  });
});
