import type { ContentBlock, Message } from '@sluice/canonical';
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRequest } from '../client/decode-request.ts';
import { user, call, result, RUN, TOKEN_CODEC, encode, marked } from '../../../test/encoded-messages.ts';

describe('encodeRequest', () => {
  it("writes a minimal request in the format of the vendor's SDK", () => {
    const { body, losses } = encode({ maxOutputTokens: 100 });
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    } satisfies MessageCreateParams);
    expect(losses).toEqual([]);
  });

  it('writes the version in place of the model for an upstream that receives the model in the path', () => {
    const { body } = encode({ maxOutputTokens: 100 }, 'claude-sonnet-4-5', { version_in_body: 'vertex-2023-10-16' });
    expect(Object.keys(body)).not.toContain('model');
    expect(body['anthropic_version']).toBe('vertex-2023-10-16');
  });

  it('sets max_tokens from the table, the quirk, or 4096', () => {
    expect(encode({}).body['max_tokens']).toBe(64_000);
    expect(encode({}, 'claude-sonnet-4-5', { max_output_tokens: 9_000 }).body['max_tokens']).toBe(9_000);
    expect(encode({}, 'kimi-k2').body['max_tokens']).toBe(4_096);
  });

  it("clamps max_tokens to the model's limit", () => {
    const { body, losses } = encode({ maxOutputTokens: 200_000 });
    expect(body['max_tokens']).toBe(64_000);
    expect(losses).toEqual([{ field: 'max_tokens', how: 'clamped' }]);
    expect(encode({ maxOutputTokens: 200_000 }, 'kimi-k2').body['max_tokens']).toBe(200_000);
  });

  it('keeps a thinking budget below max_tokens', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 0, max: 300_000 }), (max, budget) => {
        const { body } = encode({ maxOutputTokens: max, reasoning: { enabled: true, budgetTokens: budget } });
        // The cast is safe because the encoder writes this format.
        const thinking = body['thinking'] as { budget_tokens?: number } | undefined;
        expect(thinking?.budget_tokens ?? 0).toBeLessThan(Number(body['max_tokens']));
      }),
    );
  });

  it('clamps a temperature above 1', () => {
    const { body, losses } = encode({ temperature: 1.7 });
    expect(body['temperature']).toBe(1);
    expect(losses).toEqual([{ field: 'temperature', how: 'clamped' }]);
  });

  it('omits sampling if the model rejects it', () => {
    const { body, losses } = encode({ temperature: 0.7, topP: 0.5, topK: 3 }, 'claude-opus-5-5');
    expect(body['temperature']).toBeUndefined();
    expect(body['top_p']).toBeUndefined();
    expect(body['top_k']).toBeUndefined();
    expect(losses.map(({ field }) => field)).toEqual(['temperature', 'top_p', 'top_k']);
  });

  it('reports no loss for a temperature of 1', () => {
    expect(encode({ temperature: 1 }, 'claude-opus-5-5')).toMatchObject({ losses: [] });
  });

  it('never sends temperature and top_p together to models that reject both', () => {
    const { body, losses } = encode({ temperature: 0.5, topP: 0.9 });
    expect(body).toMatchObject({ temperature: 0.5 });
    expect(body['top_p']).toBeUndefined();
    expect(losses).toEqual([{ field: 'top_p', how: 'dropped' }]);
    expect(encode({ temperature: 0.5, topP: 0.9 }, 'claude-3-5-haiku').body).toMatchObject({ top_p: 0.9 });
    expect(encode({ topP: 0.9 }).body).toMatchObject({ top_p: 0.9 });
  });

  it('omits sampling while the model thinks', () => {
    const { body } = encode({ temperature: 0.5, topP: 0.99, topK: 5, reasoning: { effort: 'high' } });
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 24_576 }, top_p: 0.99 });
    expect(body['temperature']).toBeUndefined();
    expect(body['top_k']).toBeUndefined();
  });

  it('sends no thinking when the running tool loop started without it', () => {
    const messages = [
      user('go'),
      { role: 'assistant', content: [call('c1')] },
      { role: 'user', content: [result('c1')] },
    ];
    const params = { messages: messages as Message[], tools: [RUN], reasoning: { effort: 'high' as const } };
    const { body, losses } = encode(params);
    expect(body['thinking']).toBeUndefined();
    expect(losses).toEqual([{ field: 'reasoning', how: 'dropped' }]);
    expect(encode(params, 'claude-opus-4-6').body).toMatchObject({ thinking: { type: 'adaptive' } });
  });

  it('drops unsigned thinking of another vendor that a client returns', () => {
    const thinking = {
      type: 'thinking',
      thinking: 'A',
      signature: TOKEN_CODEC.wrap({ protocol: 'messages', value: '' }),
    };
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'B' }] },
      { role: 'user', content: 'on' },
    ];
    const body = { model: 'm', max_tokens: 9, messages };
    const params = decodeRequest({ body, model: 'm', stream: false, tokenCodec: TOKEN_CODEC, report: () => undefined });
    const sent = encode(params);
    expect(sent.body['messages']).toContainEqual({ role: 'assistant', content: [{ type: 'text', text: 'B' }] });
    expect(sent.losses).toEqual([{ field: 'reasoning', how: 'dropped' }]);
  });

  it('enables thinking again after a finished tool loop', () => {
    const messages: Message[] = [
      user('go'),
      { role: 'assistant', content: [call('c1')] },
      { role: 'user', content: [result('c1')] },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      user('more'),
    ];
    expect(encode({ messages, tools: [RUN], reasoning: { effort: 'high' } }).body).toHaveProperty('thinking');
  });

  it('converts a forced tool to an instruction if the model rejects it', () => {
    const { body, losses } = encode({ tools: [RUN], toolChoice: { type: 'required' } }, 'claude-sonnet-5-5');
    expect(body).toMatchObject({
      tool_choice: { type: 'auto' },
      system: [{ type: 'text', text: 'You must call a tool.' }],
    });
    expect(losses).toEqual([{ field: 'tool_choice', how: 'replaced' }]);
  });

  it('sends a schema natively if the model accepts it, never with a forced tool', () => {
    const format = {
      type: 'schema' as const,
      name: 'x',
      schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    };
    const { body } = encode({ format }, 'claude-sonnet-5-5');
    expect(body).toMatchObject({
      output_config: { format: { type: 'json_schema', schema: { ...format.schema, additionalProperties: false } } },
    });
    expect(body['tools']).toBeUndefined();
  });

  it('sends a schema as a forced tool if the model has no native schemas', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { body } = encode({ format: { type: 'schema', name: 'x', schema } }, 'claude-3-5-haiku');
    expect(body).toMatchObject({
      tools: [{ name: 'sluice_json_answer', input_schema: schema }],
      tool_choice: { type: 'tool', name: 'sluice_json_answer', disable_parallel_tool_use: true },
    });
  });

  it('forces the requested tool rather than a schema that the model does not support natively', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { body, losses } = encode(
      {
        format: { type: 'schema', name: 'x', schema },
        tools: [{ ...RUN, strict: true }],
        toolChoice: { type: 'tool', name: 'run' },
      },
      'claude-3-5-haiku',
    );
    expect(body).toMatchObject({ tools: [{ name: 'run' }], tool_choice: { type: 'tool', name: 'run' } });
    expect(losses).toEqual([
      { field: 'response_format', how: 'dropped' },
      { field: 'tools[].strict', how: 'dropped' },
    ]);
  });

  it('drops stop sequences without a visible character and sends no empty list', () => {
    expect(encode({ stop: ['END', '\n'] }).body['stop_sequences']).toEqual(['END']);
    expect(encode({ stop: ['\n'] })).toMatchObject({ losses: [{ field: 'stop', how: 'dropped' }] });
    expect(encode({ stop: ['\n'] }).body['stop_sequences']).toBeUndefined();
  });

  it('sends the user, known service tiers, and streaming', () => {
    const { body, losses } = encode({ user: 'u1', serviceTier: 'auto', stream: true });
    expect(body).toMatchObject({ metadata: { user_id: 'u1' }, service_tier: 'auto', stream: true });
    expect(losses).toEqual([]);
    expect(encode({ serviceTier: 'flex' }).losses).toEqual([{ field: 'service_tier', how: 'dropped' }]);
  });

  it('reports every field without an equivalent', () => {
    const { losses } = encode({
      seed: 1,
      presencePenalty: 1,
      frequencyPenalty: 1,
      logitBias: { a: 1 },
      topLogprobs: 2,
      verbosity: 'low',
      metadata: { a: 'b' },
      safety: [],
      cache: { key: 'k' },
    });
    expect(losses.map(({ field }) => field)).toEqual([
      'seed',
      'presence_penalty',
      'frequency_penalty',
      'logit_bias',
      'logprobs',
      'verbosity',
      'metadata',
      'safety_settings',
      'prompt_cache_key',
    ]);
  });

  it.each([
    [{ choices: 2 }, 'n'],
    [{ modalities: ['text', 'audio'] as ('text' | 'audio')[] }, 'modalities'],
  ])('rejects %j', (params, param) => {
    expect(() => encode(params)).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param, status: 400 }),
    );
  });

  it('accepts only one choice and text', () => {
    expect(encode({ choices: 1, modalities: ['text'] }).losses).toEqual([]);
    // A voice does not apply to a text response.
    expect(encode({ audio: { voice: 'a' } }).losses).toEqual([]);
  });

  it('keeps the last four cache marks', () => {
    const { body, losses } = encode({
      messages: [{ ...marked('sys'), role: 'system' }, ...['a', 'b', 'c', 'd'].map((text) => marked(text))],
    });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
    expect(body['system']).toEqual([{ type: 'text', text: 'sys' }]);
    expect(losses).toEqual([{ field: 'cache_control', how: 'dropped' }]);
  });

  it('counts automatic cache control toward the limit of four', () => {
    const blocks: ContentBlock[] = ['a', 'b', 'c', 'd'].map((text) => ({ type: 'text', text, cache: { ttl: '1h' } }));
    const { body } = encode({ messages: [{ role: 'user', content: blocks }], cache: { auto: {} } });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
    expect(body['cache_control']).toEqual({ type: 'ephemeral' });
  });

  it('does not change the request', () => {
    const request = {
      tools: [{ kind: 'hosted' as const, name: 'bash_1', raw: { type: 'bash_1', cache_control: {} } }],
    };
    const before = JSON.stringify(request);
    encode({ ...request, protocol: 'messages', messages: [user('a'), user('b')] });
    expect(JSON.stringify(request)).toBe(before);
  });
});
