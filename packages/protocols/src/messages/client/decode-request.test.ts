import type { GenerationRequest, Loss, ToolCallBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-response.ts';

const tokenCodec = createTokenCodec('secret');

function decode(fields: Record<string, unknown>) {
  const losses: Loss[] = [];
  const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }], ...fields };
  const request = decodeRequest({ body, model: 'm', stream: false, tokenCodec, report: (loss) => losses.push(loss) });
  return { request, losses };
}

describe('decodeRequest', () => {
  it('reads a minimal request', () => {
    expect(decode({})).toEqual({
      request: {
        protocol: 'messages',
        model: 'm',
        stream: false,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        tools: [],
        maxOutputTokens: 10,
      },
      losses: [],
    });
  });

  it('treats null as absent', () => {
    const names = ['system', 'temperature', 'stop_sequences', 'tools', 'tool_choice', 'thinking', 'metadata', 'speed'];
    const nulls = Object.fromEntries([...names, 'container', 'context_management'].map((name) => [name, null]));
    expect(decode(nulls)).toEqual(decode({}));
  });

  it('omits the billing block of the system prompt and keeps cache control', () => {
    const { request } = decode({
      system: [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=2' },
        { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ],
    });
    expect(request.messages[0]).toEqual({
      role: 'system',
      content: [{ type: 'text', text: 'Be brief.', cache: { ttl: '1h' } }],
    });
  });

  it('keeps instructions inside the conversation in place and applies their effort', () => {
    const { request } = decode({
      output_config: { effort: 'low' },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'system', content: 'b', output_config: { effort: 'xhigh' } },
        { role: 'user', content: 'c' },
      ],
    });
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'system', 'user']);
    expect(request.reasoning).toEqual({ effort: 'xhigh' });
  });

  it.each([
    [{ type: 'disabled' }, { enabled: false }],
    [{ type: 'adaptive' }, { adaptive: true }],
    [
      { type: 'adaptive', display: 'omitted' },
      { adaptive: true, visible: 'none' },
    ],
    [
      { type: 'enabled', budget_tokens: 2000, display: 'summarized' },
      { enabled: true, budgetTokens: 2000, visible: 'summary' },
    ],
    [{ type: 'between_tools' }, { adaptive: true }],
  ])('reads thinking %j', (thinking, reasoning) => {
    expect(decode({ thinking }).request.reasoning).toEqual(reasoning);
  });

  it('reads a schema from output_config and from the deprecated field', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    const expected = { type: 'schema', name: 'response', schema: { type: 'object' } };
    expect(decode({ output_config: { format } }).request.format).toEqual(expected);
    expect(decode({ output_format: format }).request.format).toEqual(expected);
  });

  it('reads sampling, stop sequences, service tier, user, and automatic cache control', () => {
    const { request, losses } = decode({
      temperature: 0.5,
      top_p: 0.9,
      top_k: 4,
      stop_sequences: ['END', ''],
      service_tier: 'standard_only',
      metadata: { user_id: 'u' },
      cache_control: { type: 'ephemeral' },
      speed: 'standard',
    });
    expect(request).toMatchObject({
      temperature: 0.5,
      topP: 0.9,
      topK: 4,
      stop: ['END'],
      serviceTier: 'default',
      user: 'u',
      cache: { auto: {} },
    });
    expect(losses).toEqual([]);
  });

  it('ignores empty lists', () => {
    expect(decode({ stop_sequences: [], tools: [], mcp_servers: [], system: [] })).toEqual(decode({}));
  });

  it('reports each field that other vendors lack', () => {
    const { losses } = decode({
      inference_geo: 'eu',
      speed: 'fast',
      context_management: { edits: [] },
      container: 'c_1',
      diagnostics: {},
      metadata: { user_id: 'u', team: 't' },
      output_config: { effort: 'extreme', task_budget: { type: 'tokens', total: 5 } },
    });
    expect(losses.map(({ field }) => field).toSorted()).toEqual([
      'container',
      'context_management',
      'diagnostics',
      'inference_geo',
      'metadata',
      'output_config.effort',
      'output_config.task_budget',
      'speed',
    ]);
  });

  it.each([
    [{ mcp_servers: [{ type: 'url', url: 'https://a', name: 'a' }] }, 'mcp_servers'],
    [{ container: { skills: [{ skill_id: 'pdf' }] } }, 'container[skills]'],
  ])('rejects %j, which would change the meaning', (fields, param) => {
    expect(() => decode(fields)).toThrow(expect.objectContaining({ code: 'unsupported_parameter', param }));
  });

  it.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
    'rejects the thread %j',
    (thread) => {
      const refusal = { code: 'thread_unsupported_request', param: 'thread' };
      expect(() => decode({ thread })).toThrow(expect.objectContaining(refusal));
    },
  );

  it.each([
    [{ messages: [] }, 'messages'],
    [{ messages: ['hi'] }, 'messages[0]'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0][role]'],
    [{ messages: [{ role: 'user', content: 5 }] }, 'messages[0][content]'],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0][content][0][text]'],
    [{ thinking: { type: 'loud' } }, 'thinking[type]'],
    [{ thinking: { type: 'enabled' } }, 'thinking[budget_tokens]'],
  ])('rejects %j by the path of the invalid field', (fields, param) => {
    expect(() => decode(fields)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it('restores the opaque token of a call', () => {
    const opaqueToken = { protocol: 'generative-content', account: 'g', model: 'gemini-3', value: 'sig' } as const;
    const call: ToolCallBlock = {
      type: 'tool-call',
      callId: 'c',
      name: 'run',
      kind: 'function',
      arguments: '{}',
      opaqueToken,
    };
    const original: GenerationRequest = {
      protocol: 'messages',
      model: 'm',
      stream: false,
      messages: [],
      tools: [],
      reasoning: { adaptive: true },
    };
    const { content } = encodeResponse(
      { id: 'r', model: 'gemini-3', choices: [{ content: [call], finish: 'tool_calls' }] },
      { request: original, body: {}, createdAt: 0, newId: (prefix) => prefix, tokenCodec },
    );
    const { request, losses } = decode({
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'done' }] },
      ],
    });
    expect(request.messages[1]).toEqual({ role: 'assistant', content: [call] });
    expect(losses).toEqual([]);
  });

  it('merges tools that a turn adds', () => {
    const added = { type: 'tool_addition', tool: { type: 'tool_definition', name: 'late', input_schema: {} } };
    const { request, losses } = decode({
      tools: [{ name: 'early', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'a' },
        { role: 'system', content: [added] },
      ],
    });
    expect(request.tools.map(({ name }) => name)).toEqual(['early', 'late']);
    expect(request.messages).toHaveLength(1);
    expect(losses).toEqual([]);
  });
});
