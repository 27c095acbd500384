import type { ContentBlock, GenerationRequest, Loss, Message, TextQuirks, TextTarget } from '@sluice/canonical';
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../sealer.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeRequest } from './encode-request.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (callId: string, name = 'run', args = '{}'): ContentBlock => ({
  type: 'tool-call',
  callId,
  name,
  kind: 'function',
  arguments: args,
});
const result = (callId: string, text = 'ok'): ContentBlock => ({
  type: 'tool-result',
  callId,
  kind: 'function',
  content: [{ type: 'text', text }],
});
const RUN = { kind: 'function', name: 'run', schema: { type: 'object', properties: {} } } as const;

const SEALER = createSealer('secret');

function target(model: string, quirks: TextQuirks = {}): TextTarget {
  return { upstream: 'a', account: 'acc', protocol: 'messages', model, quirks };
}

function encode(wish: Partial<GenerationRequest>, model = 'claude-sonnet-4-5', quirks: TextQuirks = {}) {
  const losses: Loss[] = [];
  const request: GenerationRequest = {
    protocol: 'chat-completions',
    model: 'm',
    stream: false,
    messages: [user('Hi')],
    tools: [],
    ...wish,
  };
  const body = encodeRequest(request, target(model, quirks), (loss) => losses.push(loss));
  return { body, losses };
}

const marked = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text, cache: {} }] });

describe('encodeRequest', () => {
  it('writes the least that the vendor takes, in the shape of its SDK', () => {
    const { body, losses } = encode({ maxOutputTokens: 100 });
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    } satisfies MessageCreateParams);
    expect(losses).toEqual([]);
  });

  it('fills in max_tokens from the table, the quirk, or 4096', () => {
    expect(encode({}).body['max_tokens']).toBe(64_000);
    expect(encode({}, 'claude-sonnet-4-5', { max_output_tokens: 9_000 }).body['max_tokens']).toBe(9_000);
    expect(encode({}, 'kimi-k2').body['max_tokens']).toBe(4_096);
  });

  it('clamps max_tokens to what the model can', () => {
    const { body, losses } = encode({ maxOutputTokens: 200_000 });
    expect(body['max_tokens']).toBe(64_000);
    expect(losses).toEqual([{ field: 'max_tokens', how: 'clamped' }]);
    expect(encode({ maxOutputTokens: 200_000 }, 'kimi-k2').body['max_tokens']).toBe(200_000);
  });

  it('keeps a thinking budget below max_tokens', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 0, max: 300_000 }), (max, budget) => {
        const { body } = encode({ maxOutputTokens: max, reasoning: { enabled: true, budgetTokens: budget } });
        const thinking = body['thinking'] as { budget_tokens?: number } | undefined; // as this encoder writes it
        expect(thinking?.budget_tokens ?? 0).toBeLessThan(Number(body['max_tokens']));
      }),
    );
  });

  it('clamps a temperature above 1', () => {
    const { body, losses } = encode({ temperature: 1.7 });
    expect(body['temperature']).toBe(1);
    expect(losses).toEqual([{ field: 'temperature', how: 'clamped' }]);
  });

  it('leaves sampling out where the model refuses it', () => {
    const { body, losses } = encode({ temperature: 0.7, topP: 0.5, topK: 3 }, 'claude-opus-5-5');
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['temperature']));
    expect(body).not.toHaveProperty('top_p');
    expect(body).not.toHaveProperty('top_k');
    expect(losses.map(({ field }) => field)).toEqual(['temperature', 'top_p', 'top_k']);
  });

  it('loses nothing by leaving out a temperature of 1', () => {
    expect(encode({ temperature: 1 }, 'claude-opus-5-5')).toMatchObject({ losses: [] });
  });

  it('never sends temperature and top_p together to models that refuse it', () => {
    const { body, losses } = encode({ temperature: 0.5, topP: 0.9 });
    expect(body).toMatchObject({ temperature: 0.5 });
    expect(body).not.toHaveProperty('top_p');
    expect(losses).toEqual([{ field: 'top_p', how: 'dropped' }]);
    expect(encode({ temperature: 0.5, topP: 0.9 }, 'claude-3-5-haiku').body).toMatchObject({ top_p: 0.9 });
    expect(encode({ topP: 0.9 }).body).toMatchObject({ top_p: 0.9 });
  });

  it('leaves sampling out while the model thinks', () => {
    const { body } = encode({ temperature: 0.5, topP: 0.99, topK: 5, reasoning: { effort: 'high' } });
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 24_576 }, top_p: 0.99 });
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('top_k');
  });

  it('sends no thinking when the running tool loop began without thoughts', () => {
    const messages = [
      user('go'),
      { role: 'assistant', content: [call('c1')] },
      { role: 'user', content: [result('c1')] },
    ];
    const wish = { messages: messages as Message[], tools: [RUN], reasoning: { effort: 'high' as const } };
    const { body, losses } = encode(wish);
    expect(body).not.toHaveProperty('thinking');
    expect(losses).toEqual([{ field: 'reasoning', how: 'dropped' }]);
    expect(encode(wish, 'claude-opus-4-6').body).toMatchObject({ thinking: { type: 'adaptive' } });
  });

  it('drops thoughts that another vendor made unsigned when a client carries them back', () => {
    const carried = { type: 'thinking', thinking: 'A', signature: SEALER.wrap({ protocol: 'messages', value: '' }) };
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [carried, { type: 'text', text: 'B' }] },
      { role: 'user', content: 'on' },
    ];
    const body = { model: 'm', max_tokens: 9, messages };
    const wish = decodeRequest({ body, model: 'm', stream: false, sealer: SEALER, report: () => undefined });
    const sent = encode(wish);
    expect(sent.body['messages']).toContainEqual({ role: 'assistant', content: [{ type: 'text', text: 'B' }] });
    expect(sent.losses).toEqual([{ field: 'reasoning', how: 'dropped' }]);
  });

  it('asks a finished tool loop to think again', () => {
    const messages: Message[] = [
      user('go'),
      { role: 'assistant', content: [call('c1')] },
      { role: 'user', content: [result('c1')] },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      user('more'),
    ];
    expect(encode({ messages, tools: [RUN], reasoning: { effort: 'high' } }).body).toHaveProperty('thinking');
  });

  it('turns a forced tool into words where the model refuses one', () => {
    const { body, losses } = encode({ tools: [RUN], toolChoice: { type: 'required' } }, 'claude-sonnet-5-5');
    expect(body).toMatchObject({
      tool_choice: { type: 'auto' },
      system: [{ type: 'text', text: 'You must call a tool.' }],
    });
    expect(losses).toEqual([{ field: 'tool_choice', how: 'replaced' }]);
  });

  it('says a schema natively where the model takes one, never with a forced tool', () => {
    const format = {
      type: 'schema' as const,
      name: 'x',
      schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    };
    const { body } = encode({ format }, 'claude-sonnet-5-5');
    expect(body).toMatchObject({
      output_config: { format: { type: 'json_schema', schema: { ...format.schema, additionalProperties: false } } },
    });
    expect(body).not.toHaveProperty('tools');
  });

  it('says a schema as a forced tool where the model takes none', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { body } = encode({ format: { type: 'schema', name: 'x', schema } }, 'claude-3-5-haiku');
    expect(body).toMatchObject({
      tools: [{ name: 'sluice_json_answer', input_schema: schema }],
      tool_choice: { type: 'tool', name: 'sluice_json_answer', disable_parallel_tool_use: true },
    });
  });

  it('strips stops without a visible character and sends no empty list', () => {
    expect(encode({ stop: ['END', '\n'] }).body['stop_sequences']).toEqual(['END']);
    expect(encode({ stop: ['\n'] })).toMatchObject({ losses: [{ field: 'stop', how: 'dropped' }] });
    expect(encode({ stop: ['\n'] }).body).not.toHaveProperty('stop_sequences');
  });

  it('carries the user, the tier that it knows, and streaming', () => {
    const { body, losses } = encode({ user: 'u1', serviceTier: 'auto', stream: true });
    expect(body).toMatchObject({ metadata: { user_id: 'u1' }, service_tier: 'auto', stream: true });
    expect(losses).toEqual([]);
    expect(encode({ serviceTier: 'flex' }).losses).toEqual([{ field: 'service_tier', how: 'dropped' }]);
  });

  it('tells every field that has no place', () => {
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
  ])('refuses %j', (wish, param) => {
    expect(() => encode(wish)).toThrow(expect.objectContaining({ code: 'unsupported_parameter', param, status: 400 }));
  });

  it('takes one choice and text alone', () => {
    expect(encode({ choices: 1, modalities: ['text'] }).losses).toEqual([]);
    // A voice for an answer that is not spoken: it has no meaning.
    expect(encode({ audio: { voice: 'a' } }).losses).toEqual([]);
  });

  it('keeps at most four cache marks, the last ones', () => {
    const { body, losses } = encode({
      messages: [{ ...marked('sys'), role: 'system' }, ...['a', 'b', 'c', 'd'].map((text) => marked(text))],
    });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
    expect(body['system']).toEqual([{ type: 'text', text: 'sys' }]);
    expect(losses).toEqual([{ field: 'cache_control', how: 'dropped' }]);
  });

  it('counts an automatic mark as one of the four', () => {
    const blocks: ContentBlock[] = ['a', 'b', 'c', 'd'].map((text) => ({ type: 'text', text, cache: { ttl: '1h' } }));
    const { body } = encode({ messages: [{ role: 'user', content: blocks }], cache: { auto: {} } });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
    expect(body['cache_control']).toEqual({ type: 'ephemeral' });
  });

  it('leaves the request as it was', () => {
    const request = {
      tools: [{ kind: 'hosted' as const, name: 'bash_1', raw: { type: 'bash_1', cache_control: {} } }],
    };
    const before = JSON.stringify(request);
    encode({ ...request, protocol: 'messages', messages: [user('a'), user('b')] });
    expect(JSON.stringify(request)).toBe(before);
  });
});

describe('messages → canonical → messages → canonical', () => {
  const sealer = createSealer('secret');
  const to = target('claude-opus-4-6');
  const decode = (body: Record<string, unknown>) =>
    decodeRequest({ body, model: 'm', stream: body['stream'] === true, sealer, report: () => undefined });
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const cache = fc.option(fc.constantFrom({ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }), { nil: undefined });
  const text = fc.record({ type: fc.constant('text'), text: word });
  const image = fc.constant({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
  });
  const thinking = word.map((value) => ({
    type: 'thinking',
    thinking: value,
    signature: sealer.wrap({ protocol: 'messages', account: 'acc', model: 'claude-opus-4-6', value }),
  }));
  const redacted = word.map((value) => ({
    type: 'redacted_thinking',
    data: sealer.wrap({ protocol: 'messages', account: 'acc', model: 'claude-opus-4-6', value }),
  }));
  const rounds = fc
    .array(
      fc.record({
        ask: fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 3 }),
        think: fc.array(fc.oneof(thinking, redacted), { maxLength: 2 }),
        say: text,
        calls: fc.array(fc.record({ name: word, input: fc.dictionary(word, word) }), { maxLength: 3 }),
        result: fc.oneof(word, fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 2 })),
        cache,
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((list) =>
      list.flatMap((round, index) => {
        const calls = round.calls.map((made, at) => ({ type: 'tool_use', id: `toolu_${index}_${at}`, ...made }));
        const results = calls.map(({ id }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: round.result,
          ...(round.cache && { cache_control: round.cache }),
        }));
        return [
          { role: 'user', content: round.ask },
          { role: 'assistant', content: [...round.think, round.say, ...calls] },
          ...(results.length > 0 ? [{ role: 'user', content: results }] : []),
        ];
      }),
    );
  const bodies = fc.record(
    {
      model: fc.constant('m'),
      max_tokens: fc.integer({ min: 1, max: 64_000 }),
      messages: rounds,
      system: fc.oneof(word, fc.array(text, { minLength: 1, maxLength: 2 })),
      stop_sequences: fc.array(word, { maxLength: 2 }),
      top_k: fc.integer({ min: 1, max: 50 }),
      temperature: fc.double({ min: 0, max: 1, noNaN: true }),
      thinking: fc.constantFrom({ type: 'disabled' }),
      output_config: fc.constantFrom(
        {},
        { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
      ),
      service_tier: fc.constantFrom('auto', 'standard_only'),
      metadata: fc.record({ user_id: word }),
      cache_control: fc.constant({ type: 'ephemeral' }),
      tools: fc.constant([{ name: 'run', description: 'Runs.', input_schema: { type: 'object', properties: {} } }]),
      tool_choice: fc.constantFrom(
        { type: 'auto' },
        { type: 'any' },
        { type: 'tool', name: 'run', disable_parallel_tool_use: true },
      ),
    },
    { requiredKeys: ['model', 'max_tokens', 'messages', 'tools'] },
  );

  it('is stable', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const once = encodeRequest(decode(body), to, () => undefined);
        const twice = encodeRequest(decode(rewrap(once)), to, () => undefined);
        expect(twice).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  const wrap = (value: string) =>
    sealer.wrap({ protocol: 'messages', account: 'acc', model: 'claude-opus-4-6', value });

  /** What a client would carry back: the vendor's values, wrapped. */
  function rewrap(body: Record<string, unknown>): Record<string, unknown> {
    return JSON.parse(JSON.stringify(body), (key: string, value: unknown) =>
      (key === 'signature' || key === 'data') && typeof value === 'string' && !value.startsWith('iVBOR')
        ? wrap(value)
        : value,
    ) as Record<string, unknown>; // a body stays one
  }
});
