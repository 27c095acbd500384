import type { Message, TextTarget } from '@sluice/canonical';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { encode, inputOf, message, user } from '../../../test/encoded-responses.ts';

describe('encodeRequest', () => {
  it('disables storage at the upstream and requests encrypted reasoning', () => {
    expect(encode({}).body).toEqual({
      model: 'some-model',
      input: [user('hi')],
      stream: false,
      store: false,
      include: ['reasoning.encrypted_content'],
    } satisfies ResponseCreateParams);
  });

  it('writes every setting', () => {
    const { body, losses } = encode({
      stream: true,
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      parallelToolCalls: false,
      tools: [{ kind: 'function', name: 'f' }],
      toolChoice: { type: 'tool', name: 'f' },
      format: { type: 'schema', name: 's', schema: { type: 'object' } },
      verbosity: 'low',
      reasoning: { effort: 'high', visible: 'full' },
      cache: { key: 'k' },
      serviceTier: 'flex',
      user: 'u1',
      metadata: { a: 'b' },
    });
    expect(body).toMatchObject({
      stream: true,
      max_output_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      parallel_tool_calls: false,
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_schema', name: 's', schema: { type: 'object' } }, verbosity: 'low' },
      reasoning: { effort: 'high', summary: 'auto' },
      prompt_cache_key: 'k',
      service_tier: 'flex',
      safety_identifier: 'u1',
      metadata: { a: 'b' },
    } satisfies Partial<ResponseCreateParams>);
    expect(losses).toEqual([]);
  });

  it('raises a limit below the minimum to the minimum', () => {
    const { body, losses } = encode({ maxOutputTokens: 5 });
    expect(body.max_output_tokens).toBe(16);
    expect(losses).toEqual([{ field: 'max_output_tokens', how: 'clamped' }]);
  });

  it('reports fields without an equivalent', () => {
    const { losses } = encode({
      topK: 1,
      seed: 1,
      presencePenalty: 1,
      frequencyPenalty: 1,
      logitBias: { a: 1 },
      topLogprobs: 1,
      stop: ['x'],
      safety: [],
      serviceTier: 'batch',
    });
    expect(losses.map(({ field }) => field).toSorted()).toEqual(
      ['top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs', 'stop', 'safety_settings']
        .concat('service_tier')
        .toSorted(),
    );
  });

  it.each([
    [{ choices: 2 }, 'n'],
    [{ modalities: ['text', 'audio'] as ('text' | 'audio')[] }, 'modalities'],
    [{ tools: [{ kind: 'hosted' as const, name: 'google_search' }] }, 'tools'],
    [
      {
        tools: [
          { kind: 'hosted' as const, name: 'google_search' },
          { kind: 'function' as const, name: 'f' },
        ],
        toolChoice: { type: 'tool' as const, name: 'google_search' },
      },
      'tools',
    ],
  ])('rejects %j', (request, param) => {
    expect(() => encode(request)).toThrow(expect.objectContaining({ code: 'unsupported_parameter', param }));
  });

  it('omits and reports another vendor’s tools if there are others', () => {
    const tools = [
      { kind: 'hosted' as const, name: 'web_search_20250305', raw: { type: 'web_search_20250305' } },
      { kind: 'function' as const, name: 'f' },
    ];
    const { body, losses } = encode({ protocol: 'messages', tools });
    expect(body.tools).toHaveLength(1);
    expect(losses).toEqual([{ field: 'tools[web_search_20250305]', how: 'dropped' }]);
  });

  it('writes a tool as not strict by default', () => {
    expect(encode({ tools: [{ kind: 'function', name: 'f' }] }).body.tools).toEqual([
      { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
    ]);
  });

  it('always writes the properties of a tool’s arguments', () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' };
    expect(encode({ tools: [{ kind: 'function', name: 'f', schema }] }).body.tools).toMatchObject([
      { parameters: { ...schema, properties: {} } },
    ]);
  });

  it('writes a custom tool with a flattened chat grammar', () => {
    const grammar = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: /.+/' } };
    const tools = [{ kind: 'custom' as const, name: 'exec', description: 'D', grammar }];
    const { body } = encode({ tools, toolChoice: { type: 'allowed', mode: 'auto', names: ['exec'] } });
    expect(body).toMatchObject({
      tools: [
        {
          type: 'custom',
          name: 'exec',
          description: 'D',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' },
        },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'exec' }] },
    });
  });

  it('drops a tool choice without tools', () => {
    expect(encode({ toolChoice: { type: 'required' }, parallelToolCalls: false }).body).not.toHaveProperty(
      'tool_choice',
    );
  });

  it('requests images with the image generation tool', () => {
    expect(encode({ modalities: ['text', 'image'] }).body.tools).toEqual([{ type: 'image_generation' }]);
  });

  it('omits sampling for reasoning models unless reasoning is off', () => {
    const { body, losses } = encode({ temperature: 0.5, topP: 0.5 }, { model: 'gpt-5-mini' });
    expect(body).not.toHaveProperty('temperature');
    expect(losses).toHaveLength(2);
    // 1 is these models' default.
    expect(encode({ temperature: 1, topP: 1 }, { model: 'gpt-5-mini' }).losses).toEqual([]);
    const disabled = encode({ temperature: 1, reasoning: { enabled: false } }, { model: 'gpt-5-mini' });
    expect(disabled.body).toMatchObject({ temperature: 1, reasoning: { effort: 'none' } });
    expect(encode({ temperature: 1 }, { quirks: { sampling: false } }).body).not.toHaveProperty('temperature');
  });

  it('omits reasoning for models without it', () => {
    const { body, losses } = encode({ reasoning: { effort: 'low' } }, { model: 'openai/gpt-4.1' });
    expect(body).not.toHaveProperty('reasoning');
    expect(body).not.toHaveProperty('include');
    expect(losses).toEqual([{ field: 'reasoning_effort', how: 'dropped' }]);
  });

  it('writes cache breakpoints for models that support only explicit ones', () => {
    const messages = [message('user', { type: 'text', text: 'long', cache: { ttl: '1h' } })];
    const cache = { auto: { ttl: '30m' } };
    expect(encode({ messages, cache }, { model: 'gpt-6-sol' }).body).toMatchObject({
      prompt_cache_options: { mode: 'implicit', ttl: '30m' },
      input: [{ content: [{ text: 'long', prompt_cache_breakpoint: { mode: 'explicit' } }] }],
    });
    const { body, losses } = encode({ messages, cache }, { model: 'gpt-5' });
    expect(JSON.stringify(body)).not.toMatch(/prompt_cache/);
    expect(losses).toEqual([{ field: 'cache_control', how: 'dropped' }]);
  });

  it('reports unsupported breakpoints, names, and budgets, each once', () => {
    const marked = message('assistant', { type: 'text', text: 'long', cache: {} });
    const tools = [{ kind: 'function' as const, name: 'f', cache: {} }];
    const dropped = [{ field: 'cache_control', how: 'dropped' }];
    expect(encode({ messages: [message('user', 'hi'), marked, marked], tools }, { model: 'gpt-6-sol' }).losses).toEqual(
      dropped,
    );
    expect(encode({ messages: [{ ...message('user', 'hi'), name: 'ada' }] }).losses).toEqual([
      { field: 'name', how: 'dropped' },
    ]);
    const replaced = [{ field: 'reasoning_budget', how: 'replaced' }];
    expect(encode({ reasoning: { enabled: true, budgetTokens: 3000 } }).losses).toEqual(replaced);
    expect(encode({ reasoning: { effort: 'low', budgetTokens: 3000 } }).losses).toEqual(replaced);
  });

  it('shortens a long user name to the same value each time', () => {
    const written = encode({ user: 'x'.repeat(65) }).body.safety_identifier;
    expect(written).toMatch(/^[0-9a-f]{64}$/);
    expect(encode({ user: 'x'.repeat(65) }).body.safety_identifier).toBe(written);
  });
});

function rolesOf(messages: Message[], at: Partial<TextTarget>): string[] {
  // The cast is safe because all items are messages.
  return (inputOf(messages, at) as { role: string }[]).map(({ role }) => role);
}

describe('instructions', () => {
  const messages = [message('system', 'A'), message('developer', 'B'), message('user', 'hi'), message('system', 'C')];

  it('remain items for clients that send them as messages', () => {
    expect(rolesOf(messages, {})).toEqual(['system', 'system', 'user', 'system']);
    expect(rolesOf(messages, { model: 'gpt-5' })).toEqual(['developer', 'developer', 'user', 'developer']);
    expect(rolesOf(messages, { model: 'gpt-5', quirks: { instruction_role: 'system' } })[0]).toBe('system');
  });

  it('become `instructions` for clients with a field for them, except those between messages', () => {
    const { body } = encode({ protocol: 'messages', messages: messages.slice(1) });
    expect(body.instructions).toBe('B');
    expect(body.input).toMatchObject([{ role: 'user' }, { role: 'system', content: [{ text: 'C' }] }]);
  });

  it('remain items if there are several, because one string cannot preserve their boundaries', () => {
    const system: Message = {
      role: 'system',
      content: [
        { type: 'text', text: 'Be br' },
        { type: 'text', text: 'ief.' },
      ],
    };
    const { body } = encode({ protocol: 'messages', messages: [system, message('user', 'hi')] });
    expect(body).not.toHaveProperty('instructions');
    expect(body.input).toMatchObject([{ content: [{ text: 'Be br' }, { text: 'ief.' }] }, { role: 'user' }]);
  });

  it('remain items if they have cache breakpoints', () => {
    const marked = [message('system', { type: 'text', text: 'A', cache: {} }), message('user', 'hi')];
    expect(encode({ protocol: 'messages', messages: marked }, { model: 'gpt-6' }).body).not.toHaveProperty(
      'instructions',
    );
    expect(encode({ protocol: 'messages', messages: marked }).body.instructions).toBe('A');
  });
});
