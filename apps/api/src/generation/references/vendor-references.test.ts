import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../../test/api-rig.ts';
import { expectRefusal } from '../../../test/refusal.ts';
import { ROUTES } from '../../../test/text-routes.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../../test/vendor.ts';

/** A key that can reference objects stored at vendors. */
const TRUSTED = 'sk-trusted-key';

let upstream: ScriptedUpstream;
let guardedRig: TextRig;
let trustedRig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  guardedRig = await textRig(vendorConfig(upstream.url));
  const keys = [{ name: 'trusted', key: TRUSTED, vendor_references: true }];
  trustedRig = await textRig({ ...vendorConfig(upstream.url), keys });
});
afterAll(async () => {
  await guardedRig.close();
  await trustedRig.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

const user = (content: unknown) => [{ role: 'user', content }];

/** The route, the fields added to a minimal body, and the rejected field. */
const REFERENCES: [name: string, members: Record<string, unknown>, param: string][] = [
  ['responses', { conversation: 'conv_1' }, 'conversation'],
  ['responses', { conversation: { id: 'conv_1' } }, 'conversation'],
  ['responses', { prompt: { id: 'pmpt_1' } }, 'prompt'],
  ['responses', { input: user([{ type: 'input_file', file_id: 'file-1' }]) }, 'input[0][content][0][file_id]'],
  ['responses', { input: user([{ type: 'input_image', file_id: 'file-1' }]) }, 'input[0][content][0][file_id]'],
  ['responses', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }, 'tools[0][vector_store_ids]'],
  ['responses', { tools: [{ type: 'mcp', server_label: 'a', connector_id: 'c' }] }, 'tools[0][connector_id]'],
  ['compaction', { input: user([{ type: 'input_file', file_id: 'file-1' }]) }, 'input[0][content][0][file_id]'],
  [
    'chat completions',
    { messages: user([{ type: 'file', file: { file_id: 'file-1' } }]) },
    'messages[0][content][0][file][file_id]',
  ],
  ['messages', { container: 'container_1' }, 'container'],
  [
    'messages',
    { messages: user([{ type: 'image', source: { type: 'file', file_id: 'file_1' } }]) },
    'messages[0][content][0][source][file_id]',
  ],
  [
    'messages',
    { system: [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }] },
    'system[0][source][file_id]',
  ],
  ['/v1 generateContent', { cachedContent: 'cachedContents/1' }, 'cachedContent'],
  ['/v1 generateContent', { cached_content: 'cachedContents/1' }, 'cached_content'],
  [
    '/v1 generateContent',
    { contents: [{ parts: [{ fileData: { fileUri: 'gs://b/o' } }] }] },
    'contents[0][parts][0][fileData][fileUri]',
  ],
  [
    '/v1 generateContent',
    {
      contents: [{ parts: [{ file_data: { file_uri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } }] }],
    },
    'contents[0][parts][0][file_data][file_uri]',
  ],
  ['responses', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, 'tools[0][container]'],
  [
    'responses',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }] },
    'tools[0][container][file_ids]',
  ],
  [
    'responses',
    { tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_1' } }] },
    'tools[0][environment][container_id]',
  ],
  [
    'responses',
    { tools: [{ type: 'shell', environment: { type: 'container_auto', skills: [{ skill_id: 'skill_1' }] } }] },
    'tools[0][environment][skills][0][skill_id]',
  ],
  [
    'responses',
    { input: [{ type: 'additional_tools', tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, ...user('x')] },
    'input[0][tools][0][container]',
  ],
  [
    'responses',
    { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'file-1' }] }] },
    'input[0][output][0][file_id]',
  ],
  [
    'chat completions',
    { messages: [...user('x'), { role: 'assistant', audio: { id: 'audio_1' } }, ...user('y')] },
    'messages[1][audio]',
  ],
  [
    '/v1 generateContent',
    { tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] },
    'tools[0][fileSearch][fileSearchStoreNames]',
  ],
  [
    '/v1 generateContent',
    { tools: [{ file_search: { file_search_store_names: ['fileSearchStores/1'] } }] },
    'tools[0][file_search][file_search_store_names]',
  ],
  [
    '/v1 generateContent',
    { tools: [{ retrieval: { vertexRagStore: { ragCorpora: ['c'] } } }] },
    'tools[0][retrieval][vertexRagStore]',
  ],
  [
    '/v1 generateContent',
    { tools: [{ retrieval: { vertex_rag_store: { rag_corpora: ['c'] } } }] },
    'tools[0][retrieval][vertex_rag_store]',
  ],
  ['response tokens', { conversation: 'conv_1' }, 'conversation'],
  ['response tokens', { input: user([{ type: 'input_file', file_id: 'file-1' }]) }, 'input[0][content][0][file_id]'],
  [
    'message tokens',
    { messages: user([{ type: 'document', source: { type: 'file', file_id: 'file_1' } }]) },
    'messages[0][content][0][source][file_id]',
  ],
  [
    '/v1 countTokens',
    { contents: [{ parts: [{ fileData: { fileUri: 'gs://b/o' } }] }] },
    'contents[0][parts][0][fileData][fileUri]',
  ],
  [
    '/v1beta countTokens',
    { generateContentRequest: { contents: [{ parts: [{ text: 'a' }] }], cachedContent: 'cachedContents/1' } },
    'cachedContent',
  ],
];

function routeOf(name: string) {
  const route = ROUTES.find((one) => one.name === name);
  if (!route) throw new Error(`there is no route ${name}`);
  return route;
}

describe.each(REFERENCES)('%s with %j', (name, members, param) => {
  const { at, body, native, protocol } = routeOf(name);
  const sent = { ...body(native), ...members };

  it('is rejected, because another key may own the object', async () => {
    const refusal = { status: 400, code: 'unsupported_parameter', param, message: /refers to an object at a vendor/ };
    await expectRefusal(await guardedRig.post(at(native), sent), protocol, refusal);
    await expectRefusal(await guardedRig.post(at(native), { ...sent, padding: 'x'.repeat(70_000) }), protocol, refusal);
    expect(upstream.requests).toEqual([]);
  });

  it('is rejected in any JSON escape of its name', async () => {
    const last = param.replace(/\]$/, '').split('[').at(-1) ?? '';
    const escaped = `\\u${last.charCodeAt(0).toString(16).padStart(4, '0')}${last.slice(1)}`;
    const text = JSON.stringify(sent).replaceAll(`"${last}"`, `"${escaped}"`);
    expect(text).not.toContain(`"${last}"`);
    const refusal = { status: 400, code: 'unsupported_parameter', param };
    await expectRefusal(await guardedRig.post(at(native), text), protocol, refusal);
    expect(upstream.requests).toEqual([]);
  });

  it('is forwarded for a key with `vendor_references`', async () => {
    const response = await trustedRig.post(at(native), sent, { headers: { authorization: `Bearer ${TRUSTED}` } });
    expect(response.status, await response.text()).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject(members);
  });
});

describe.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])('the thread %j', (thread) => {
  const { at, body, native } = routeOf('messages');
  const sent = { ...body(native), thread };

  it('is rejected with the code after which SDKs continue without a thread', async () => {
    const response = await guardedRig.post(at(native), sent);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { details: { error_code: 'thread_unsupported_request' } } });
    expect(upstream.requests).toEqual([]);
  });

  it('is rejected if the upstream does not store threads, even for a key with `vendor_references`', async () => {
    const response = await trustedRig.post(at(native), sent, { headers: { authorization: `Bearer ${TRUSTED}` } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { details: { error_code: 'thread_unsupported_request' } } });
    expect(upstream.requests).toEqual([]);
  });
});

it("keeps the vendor's error for a thread that it no longer stores, so that SDKs send the complete conversation", async () => {
  const { at, body, native } = routeOf('messages');
  const config = vendorConfig(upstream.url);
  const keys = [{ name: 'trusted', key: TRUSTED, vendor_references: true }];
  const upstreams = Object.fromEntries(
    Object.entries(config.upstreams).map(([name, one]) => [name, { ...one, quirks: { threads: true } }]),
  );
  const threadRig = await textRig({ ...config, upstreams, keys });
  const details = { error_code: 'thread_not_found' };
  const error = { type: 'error', error: { type: 'not_found_error', message: 'No such thread.', details } };
  const { script } = upstream;
  upstream.script = (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  };
  try {
    const thread = { type: 'continue', previous_message_id: 'msg_1' };
    const headers = { authorization: `Bearer ${TRUSTED}` };
    const response = await threadRig.post(at(native), { ...body(native), thread }, { headers });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { details } });
    expect(upstream.requests[0]?.body).toMatchObject({ thread });
  } finally {
    upstream.script = script;
    await threadRig.close();
  }
});

/** Tool data with field names that resemble vendor references. */
const DATA = { file_id: '1', file_ids: ['1'], container: 'bottle', skill_id: '2', audio: { id: '3' } };
const SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(Object.keys(DATA).map((name) => [name, { type: 'string', description: name }])),
  default: DATA,
};

describe('a value that resembles a reference', () => {
  it.each([
    ['responses', { conversation: null, prompt: null }],
    ['responses', { input: user('my "file_id" is "conversation"') }],
    ['responses', { input: user([{ type: 'input_file', file_id: null, file_data: 'data:text/plain;base64,YQ==' }]) }],
    [
      'responses',
      { tools: [{ type: 'function', name: 'f', parameters: { properties: { file_id: { type: 'string' } } } }] },
    ],
    ['responses', { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [] } }] }],
    [
      'responses',
      { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f', parameters: SCHEMA }] }] },
    ],
    [
      'responses',
      {
        input: [
          { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'f', parameters: SCHEMA }] },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"container":"1","file_ids":["2"]}' },
          { type: 'function_call_output', call_id: 'c', output: '{"container":"1","file_ids":["2"]}' },
        ],
      },
    ],
    ['messages', { tools: [{ name: 'f', input_schema: SCHEMA }] }],
    [
      'messages',
      {
        messages: [
          ...user('x'),
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: DATA }] },
          ...user([{ type: 'tool_result', tool_use_id: 't', content: JSON.stringify(DATA) }]),
        ],
      },
    ],
    ['chat completions', { tools: [{ type: 'function', function: { name: 'f', parameters: SCHEMA } }] }],
    ['chat completions', { messages: [...user('x'), { role: 'assistant', content: 'y', audio: null }, ...user('z')] }],
    [
      '/v1 generateContent',
      { tools: [{ functionDeclarations: [{ name: 'f', parameters: SCHEMA, response: SCHEMA }] }] },
    ],
    [
      'chat completions',
      {
        messages: [
          ...user('x'),
          {
            role: 'assistant',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"file_id":"1"}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: '{"file_id":"1"}' },
        ],
      },
    ],
    ['/v1 generateContent', { contents: [{ parts: [{ fileData: { fileUri: 'https://pics.test/a.png' } }] }] }],
    [
      '/v1 generateContent',
      { contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: { file_id: '1' } } }] }] },
    ],
    [
      '/v1 generateContent',
      { contents: [{ parts: [{ functionResponse: { name: 'f', response: { file_id: '1' } } }] }] },
    ],
  ] as [string, Record<string, unknown>][])('is accepted: %s with %j', async (name, members) => {
    const { at, body, native } = routeOf(name);
    const headers = { authorization: `Bearer ${KEYS.alice}` };
    const response = await guardedRig.post(at(native), { ...body(native), ...members }, { headers });
    expect(response.status, await response.text()).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject(members);
  });
});
