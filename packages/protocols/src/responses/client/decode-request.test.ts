import type { OpaqueToken } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { wrapToken } from './wrapped-token.ts';
import { tokenCodec, decode, decodeTyped, messagesOf, call, user } from '../../../test/decoded-responses.ts';

describe('decodeRequest', () => {
  it('reads a text as the user’s message, after the instructions', () => {
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

  it('treats null and LangChain’s empty text as absent', () => {
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
    expect(Object.keys(JSON.parse(JSON.stringify(request)))).toEqual([
      'protocol',
      'model',
      'stream',
      'messages',
      'tools',
    ]);
    expect(losses).toEqual([]);
  });

  it('ignores fields that the gateway handles and fields that Codex adds', () => {
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

  it('reports fields without an equivalent', () => {
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

  it('drops and reports an unknown effort', () => {
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
  ])('rejects %j, naming the field', (body, param) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it('requests log probabilities that `include` lists', () => {
    const include = ['message.output_text.logprobs'];
    expect(decode({ input: 'Hi', include }).request.topLogprobs).toBe(0);
    expect(decode({ input: 'Hi', include, top_logprobs: 3 }).request.topLogprobs).toBe(3);
    expect(decode({ input: 'Hi', top_logprobs: 0 }).request.topLogprobs).toBeUndefined();
  });

  it('rejects MCP servers, which only the vendor can reach', () => {
    const tools = [
      { type: 'function', name: 'f' },
      { type: 'mcp', server_label: 'x' },
    ];
    expect(() => decode({ input: 'Hi', tools })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'tools[1]' }),
    );
  });

  it('rejects prompt templates, which are stored at the vendor', () => {
    expect(() => decode({ input: 'x', prompt: { id: 'pmpt_1' } })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'prompt' }),
    );
  });
});

describe('reasoning sent back by a client', () => {
  const opaqueToken: OpaqueToken = { protocol: 'messages', account: 'acct', model: 'claude', value: 'c2ln' };
  const reasoningItem = (extras: object) => ({
    type: 'reasoning',
    id: 'rs_1',
    summary: [],
    encrypted_content: wrapToken(tokenCodec, { opaqueToken, ...extras }),
  });

  it('restores the wrapped opaque token', () => {
    const item = { ...reasoningItem({}), summary: [{ type: 'summary_text', text: 'Hm.' }] };
    expect(messagesOf([item])[0]?.content).toEqual([
      { type: 'reasoning', text: ['Hm.'], isSummary: true, id: 'rs_1', opaqueToken },
    ]);
  });

  it('restores the text that was hidden from the client', () => {
    expect(messagesOf([reasoningItem({ text: ['Hidden.'] })])[0]?.content).toEqual([
      { type: 'reasoning', text: ['Hidden.'], isSummary: false, id: 'rs_1', opaqueToken },
    ]);
  });

  it('preserves the hidden flag', () => {
    expect(messagesOf([reasoningItem({ redacted: true })])[0]?.content).toMatchObject([
      { redacted: true, opaqueToken },
    ]);
  });

  it('restores a call’s opaque token in both orders', () => {
    const [turn] = messagesOf([call, { ...call, call_id: 'call_2' }, reasoningItem({ callId: 'call_1' })]);
    expect(turn?.content).toMatchObject([{ callId: 'call_1', opaqueToken }, { callId: 'call_2' }]);
    expect(turn?.content[1]).not.toHaveProperty('opaqueToken');
  });

  it('restores a text’s opaque token, or an empty text with it', () => {
    const text = { role: 'assistant', content: 'Hi' };
    expect(messagesOf([text, reasoningItem({ textPart: 'text' })])[0]?.content).toEqual([
      { type: 'text', text: 'Hi', opaqueToken },
    ]);
    expect(messagesOf([text, reasoningItem({ textPart: 'empty' })])[0]?.content).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'text', text: '', opaqueToken },
    ]);
  });

  it('reads an unwrapped value as the vendor’s own', () => {
    expect(messagesOf([{ type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }])[0]?.content).toEqual([
      { type: 'reasoning', text: [], isSummary: true, opaqueToken: { protocol: 'responses', value: 'gAAAA' } },
    ]);
  });
});
