import type { GenerationRequest, Loss, Seal } from '@sluice/canonical';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../sealer.ts';
import { carrySeal } from './carried-seal.ts';
import { decodeRequest } from './decode-request.ts';
import type { Fields } from './wire-value.ts';

const sealer = createSealer('secret');

function decode(body: Fields): { request: GenerationRequest; losses: Loss[] } {
  const losses: Loss[] = [];
  const request = decodeRequest({
    body: { model: 'm', ...body },
    model: 'm',
    stream: body['stream'] === true,
    sealer,
    report: (loss) => losses.push(loss),
  });
  return { request, losses };
}

/** What the published client's types allow. */
function decodeTyped(body: Partial<ResponseCreateParams>): { request: GenerationRequest; losses: Loss[] } {
  return decode({ ...body });
}

const messagesOf = (input: unknown): GenerationRequest['messages'] => decode({ input }).request.messages;
const call = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":1}' };
const user = { role: 'user', content: 'hi' };
const update = (effort: string): Fields => ({ type: 'configuration_update', reasoning: { effort } });
const describedTool = (description: string): Fields => ({ type: 'function', name: 'f', description });
const toolsOf = (body: Fields): GenerationRequest['tools'] => decode({ input: 'x', ...body }).request.tools;

describe('decodeRequest', () => {
  it('reads a text as what the user says, after the instructions', () => {
    expect(decodeTyped({ input: 'Hi', instructions: 'Be kind.' }).request).toEqual({
      protocol: 'responses',
      model: 'm',
      stream: false,
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      tools: [],
    });
  });

  it('reads every setting', () => {
    const { request, losses } = decodeTyped({
      input: 'Hi',
      stream: true,
      max_output_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      top_logprobs: 3,
      parallel_tool_calls: false,
      service_tier: 'flex',
      metadata: { a: 'b' },
      safety_identifier: 'u1',
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'implicit', ttl: '30m' },
      reasoning: { effort: 'high', summary: 'auto' },
      text: {
        format: { type: 'json_schema', name: 's', schema: { type: 'object' }, strict: true },
        verbosity: 'low',
      },
    });
    expect(request).toMatchObject({
      stream: true,
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topLogprobs: 3,
      parallelToolCalls: false,
      serviceTier: 'flex',
      metadata: { a: 'b' },
      user: 'u1',
      cache: { key: 'k', auto: { ttl: '30m' } },
      reasoning: { effort: 'high', visible: 'summary' },
      format: { type: 'schema', name: 's', schema: { type: 'object' }, strict: true },
      verbosity: 'low',
    });
    expect(losses).toEqual([]);
  });

  it('takes null and LangChain’s empty text for absent', () => {
    const { request, losses } = decode({
      input: 'Hi',
      text: {},
      temperature: null,
      tools: null,
      tool_choice: null,
      reasoning: null,
      metadata: null,
      max_tool_calls: null,
    });
    expect(Object.keys(request)).toEqual(['protocol', 'model', 'stream', 'messages', 'tools']);
    expect(losses).toEqual([]);
  });

  it('ignores what the gateway answers for, and what Codex adds, without a word', () => {
    const { losses } = decode({
      input: [{ ...user, internal_chat_message_metadata_passthrough: { x: 1 } }],
      previous_response_id: 'resp_1',
      store: false,
      background: true,
      include: ['reasoning.encrypted_content'],
      truncation: 'disabled',
      conversation: 'conv_1',
      stream_options: { include_obfuscation: false },
      client_metadata: { 'x-codex': '1' },
    });
    expect(losses).toEqual([]);
  });

  it('reports members without a place', () => {
    const body = { input: 'Hi', max_tool_calls: 3, moderation: { model: 'x' }, brand_new: 1, truncation: 'auto' };
    expect(decode(body).losses).toEqual(
      ['max_tool_calls', 'moderation', 'brand_new', 'truncation'].map((field) => ({ field, how: 'dropped' })),
    );
  });

  it.each([
    [{ effort: 'none' }, { effort: 'none', enabled: false }],
    [
      { effort: 'xhigh', summary: null },
      { effort: 'xhigh', visible: 'none' },
    ],
    [{ summary: 'detailed' }, { visible: 'summary' }],
    [{ generate_summary: 'concise' }, { visible: 'summary' }],
  ])('reads reasoning %j', (reasoning, expected) => {
    expect(decode({ input: 'Hi', reasoning }).request.reasoning).toEqual(expected);
  });

  it('drops an effort that nobody knows, and says so', () => {
    const { request, losses } = decode({ input: 'Hi', reasoning: { effort: 'ultra' } });
    expect(request.reasoning).toBeUndefined();
    expect(losses).toEqual([{ field: 'reasoning.effort', how: 'dropped' }]);
  });

  it.each([
    [{}, 'input'],
    [{ input: [] }, 'input'],
    [{ input: [{ role: 'tool', content: 'x' }] }, 'input[0][role]'],
    [{ input: [{ content: 'x' }] }, 'input[0][type]'],
    [{ input: [user, { type: 'function_call', name: 'f', arguments: '' }] }, 'input[1][call_id]'],
    [{ input: [{ role: 'user', content: [{ type: 'input_text' }] }] }, 'input[0][content][0][text]'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input[0][content][0][image_url]'],
    [{ input: [{ role: 'user', content: 7 }] }, 'input[0][content]'],
    [{ input: [{ type: 'function_call_output', output: 'x' }] }, 'input[0][call_id]'],
    [{ input: [{ type: 'compaction_trigger' }, user] }, 'input[0]'],
    [{ input: 'x', tools: [{ type: 'function' }] }, 'tools[0][name]'],
    [{ input: 'x', tool_choice: 'sometimes' }, 'tool_choice'],
    [{ input: 'x', text: { format: { type: 'json_schema', name: 's' } } }, 'text[format][schema]'],
    [{ input: 'x', text: { format: { type: 'xml' } } }, 'text[format][type]'],
  ])('refuses %j, naming the field', (body, param) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it('asks for probabilities where `include` does', () => {
    const include = ['message.output_text.logprobs'];
    expect(decode({ input: 'Hi', include }).request.topLogprobs).toBe(0);
    expect(decode({ input: 'Hi', include, top_logprobs: 3 }).request.topLogprobs).toBe(3);
    expect(decode({ input: 'Hi', top_logprobs: 0 }).request).not.toHaveProperty('topLogprobs');
  });

  it('refuses MCP servers, which only the vendor reaches', () => {
    const tools = [
      { type: 'function', name: 'f' },
      { type: 'mcp', server_label: 'x' },
    ];
    expect(() => decode({ input: 'Hi', tools })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'tools[1]' }),
    );
  });

  it('refuses prompt templates, which lie at the vendor', () => {
    expect(() => decode({ input: 'x', prompt: { id: 'pmpt_1' } })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'prompt' }),
    );
  });
});

describe('the input of a request', () => {
  it('holds messages with and without a type, long and short', () => {
    expect(
      messagesOf([
        { role: 'developer', content: 'A' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'B' }] },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          phase: 'final_answer',
          content: [
            { type: 'output_text', text: 'C', annotations: [], logprobs: [] },
            { type: 'refusal', refusal: 'D' },
          ],
        },
        { role: 'system', content: 'E' },
      ]),
    ).toEqual([
      { role: 'developer', content: [{ type: 'text', text: 'A' }] },
      { role: 'user', content: [{ type: 'text', text: 'B' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'C' },
          { type: 'refusal', text: 'D' },
        ],
      },
      { role: 'system', content: [{ type: 'text', text: 'E' }] },
    ]);
  });

  it('joins what an assistant thinks, says and calls to one turn, and results to another', () => {
    expect(
      messagesOf([
        user,
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], content: null },
        { role: 'assistant', content: 'Let me see.' },
        call,
        { type: 'custom_tool_call', call_id: 'call_2', name: 'exec', namespace: 'n', input: 'ls' },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: 'a.txt' },
        { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: [{ type: 'input_text', text: 'ok' }] },
        user,
      ]),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: ['Hm'], isSummary: true, id: 'rs_1' },
          { type: 'text', text: 'Let me see.' },
          { type: 'tool-call', callId: 'call_1', name: 'f', kind: 'function', arguments: '{"a":1}' },
          { type: 'tool-call', callId: 'call_2', name: 'n__exec', kind: 'custom', arguments: 'ls' },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool-result',
            callId: 'call_2',
            name: 'n__exec',
            kind: 'custom',
            content: [{ type: 'text', text: 'a.txt' }],
          },
          {
            type: 'tool-result',
            callId: 'call_1',
            name: 'f',
            kind: 'function',
            content: [{ type: 'text', text: 'ok' }],
          },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
  });

  it('gives a result without an id to the oldest open call of its name', () => {
    const other = { ...call, call_id: 'call_2', name: 'g' };
    const [, results] = messagesOf([
      call,
      other,
      { type: 'function_call_output', name: 'g', output: '2' },
      { type: 'function_call_output', output: '1' },
    ]);
    expect(results?.content).toMatchObject([{ callId: 'call_2' }, { callId: 'call_1' }]);
  });

  it('holds pictures, files and sounds', () => {
    const [message] = messagesOf([
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'high' },
          { type: 'input_image', image_url: 'https://a.example/x.png', detail: 'auto' },
          { type: 'input_image', file_id: 'file_1' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
          { type: 'input_file', filename: 'a.csv', file_data: 'YSxi' },
          { type: 'input_file', file_url: 'https://a.example/x.pdf' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        ],
      },
    ]);
    expect(message?.content).toEqual([
      {
        type: 'media',
        kind: 'image',
        source: { from: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
        detail: 'high',
      },
      { type: 'media', kind: 'image', source: { from: 'url', url: 'https://a.example/x.png' } },
      { type: 'media', kind: 'image', source: { from: 'file', protocol: 'responses', id: 'file_1' } },
      {
        type: 'media',
        kind: 'document',
        source: { from: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
        name: 'a.pdf',
      },
      {
        type: 'media',
        kind: 'document',
        source: { from: 'base64', mediaType: 'text/csv', data: 'YSxi' },
        name: 'a.csv',
      },
      { type: 'media', kind: 'document', source: { from: 'url', url: 'https://a.example/x.pdf' } },
      { type: 'media', kind: 'audio', source: { from: 'base64', mediaType: 'audio/mpeg', data: 'AAAA' } },
    ]);
  });

  it('keeps pictures inside of a tool’s result', () => {
    const output = [{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' }];
    const [, results] = messagesOf([call, { type: 'function_call_output', call_id: 'call_1', output }]);
    expect(results?.content).toMatchObject([{ content: [{ type: 'media', kind: 'image' }] }]);
  });

  it('keeps hosted items for its own protocol', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const output = { type: 'computer_call_output', call_id: 'c', output: {} };
    expect(messagesOf([search, output])).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'foreign', protocol: 'responses', kind: 'web_search_call', raw: search }],
      },
      {
        role: 'user',
        content: [{ type: 'foreign', protocol: 'responses', kind: 'computer_call_output', raw: output }],
      },
    ]);
  });

  it('lets the last configuration update win', () => {
    const { request } = decode({
      input: [
        update('low'),
        user,
        update('high'),
        { type: 'configuration_update', text: { format: { type: 'json_object' } } },
      ],
      reasoning: { effort: 'medium', summary: 'auto' },
    });
    expect(request).toMatchObject({ reasoning: { effort: 'high', visible: 'summary' }, format: { type: 'json' } });
  });

  it('drops references to reasoning that was not found, and says so', () => {
    const { request, losses } = decode({ input: [user, { type: 'item_reference', id: 'rs_1' }, { id: 'rs_2' }] });
    expect(request.messages).toHaveLength(1);
    expect(losses).toEqual([
      { field: 'item_reference', how: 'dropped' },
      { field: 'item_reference', how: 'dropped' },
    ]);
  });

  it('refuses other references, and compactions, that nobody has resolved', () => {
    expect(() => decode({ input: [user, { type: null, id: 'msg_1' }] })).toThrow(
      expect.objectContaining({ code: 'item_not_found', param: 'input[1]' }),
    );
    expect(() => decode({ input: [{ type: 'compaction', encrypted_content: 'x' }] })).toThrow(
      expect.objectContaining({ code: 'invalid_encrypted_content', param: 'input[0]' }),
    );
  });
});

describe('reasoning that a client carries back', () => {
  const seal: Seal = { protocol: 'messages', account: 'acct', model: 'claude', value: 'c2ln' };
  const carried = (extras: object) => ({
    type: 'reasoning',
    id: 'rs_1',
    summary: [],
    encrypted_content: carrySeal(sealer, { seal, ...extras }),
  });

  it('has the seal that was wrapped for it', () => {
    const item = { ...carried({}), summary: [{ type: 'summary_text', text: 'Hm.' }] };
    expect(messagesOf([item])[0]?.content).toEqual([
      { type: 'reasoning', text: ['Hm.'], isSummary: true, id: 'rs_1', seal },
    ]);
  });

  it('has the text that was hidden from the client', () => {
    expect(messagesOf([carried({ text: ['Hidden.'] })])[0]?.content).toEqual([
      { type: 'reasoning', text: ['Hidden.'], isSummary: false, id: 'rs_1', seal },
    ]);
  });

  it('is still hidden on purpose where it was', () => {
    expect(messagesOf([carried({ redacted: true })])[0]?.content).toMatchObject([{ redacted: true, seal }]);
  });

  it('gives a call its seal back, in whichever order they come', () => {
    const [turn] = messagesOf([call, { ...call, call_id: 'call_2' }, carried({ callId: 'call_1' })]);
    expect(turn?.content).toMatchObject([{ callId: 'call_1', seal }, { callId: 'call_2' }]);
    expect(turn?.content[1]).not.toHaveProperty('seal');
  });

  it('gives a text its seal back, or an empty text that holds it', () => {
    const text = { role: 'assistant', content: 'Hi' };
    expect(messagesOf([text, carried({ textPart: 'text' })])[0]?.content).toEqual([{ type: 'text', text: 'Hi', seal }]);
    expect(messagesOf([text, carried({ textPart: 'empty' })])[0]?.content).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'text', text: '', seal },
    ]);
  });

  it('is its vendor’s own when we did not wrap it', () => {
    expect(messagesOf([{ type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }])[0]?.content).toEqual([
      { type: 'reasoning', text: [], isSummary: true, seal: { protocol: 'responses', value: 'gAAAA' } },
    ]);
  });
});

describe('the tools of a request', () => {
  it('are flattened out of their namespaces', () => {
    const tools = [
      {
        type: 'namespace',
        name: 'multi_agent_v1',
        tools: [{ type: 'function', name: 'close_agent', parameters: null }],
      },
      { type: 'function', name: 'plain', description: 'D', parameters: { type: 'object' }, strict: true },
      { type: 'web_search', external_web_access: false },
    ];
    expect(toolsOf({ tools })).toEqual([
      {
        kind: 'function',
        name: 'multi_agent_v1__close_agent',
        clientName: { name: 'close_agent', namespace: 'multi_agent_v1' },
      },
      { kind: 'function', name: 'plain', description: 'D', schema: { type: 'object' }, strict: true },
      { kind: 'hosted', name: 'web_search', raw: { type: 'web_search', external_web_access: false } },
    ]);
  });

  it('may come as an item, as Codex sends them', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' };
    const input = [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec', format }] }],
      },
      user,
    ];
    expect(toolsOf({ input })).toEqual([
      { kind: 'custom', name: 'exec', clientName: { name: 'exec', namespace: 'functions' }, grammar: format },
    ]);
  });

  it('are those that a search found as well, the later of one name', () => {
    const input = [
      user,
      { type: 'tool_search_call', call_id: 'c', arguments: {} },
      { type: 'tool_search_output', call_id: 'c', tools: [describedTool('new')] },
    ];
    expect(toolsOf({ input, tools: [describedTool('old')] })).toEqual([
      { kind: 'function', name: 'f', description: 'new' },
    ]);
  });

  it('lose what only says how they are loaded', () => {
    const tools = [
      { type: 'function', name: 'f', defer_loading: true, async: true, output_schema: {}, allowed_callers: [] },
    ];
    expect(toolsOf({ tools })).toEqual([{ kind: 'function', name: 'f' }]);
  });

  it.each([
    ['auto', { type: 'auto' }],
    ['required', { type: 'required' }],
    [
      { type: 'function', name: 'f' },
      { type: 'tool', name: 'f' },
    ],
    [
      { type: 'custom', name: 'f', namespace: 'n' },
      { type: 'tool', name: 'n__f' },
    ],
    [{ type: 'web_search' }, { type: 'tool', name: 'web_search' }],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] },
      { type: 'allowed', mode: 'required', names: ['f', 'web_search'] },
    ],
  ])('are chosen among by %j', (choice, expected) => {
    expect(decode({ input: 'x', tool_choice: choice }).request.toolChoice).toEqual(expected);
  });
});
