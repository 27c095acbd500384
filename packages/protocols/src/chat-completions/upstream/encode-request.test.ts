import type { GenerationRequest, Loss, TextQuirks } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeRequest } from './encode-request.ts';

function encode(request: Partial<GenerationRequest>, model = 'm', quirks: TextQuirks = {}) {
  const losses: Loss[] = [];
  const complete: GenerationRequest = {
    protocol: 'messages',
    model: 'client-model',
    stream: false,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [],
    ...request,
  };
  const target = { upstream: 'u', account: 'acc', protocol: 'chat-completions', model, quirks } as const;
  const body = encodeRequest(complete, target, (loss) => losses.push(loss));
  return { body, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}

describe('encodeRequest', () => {
  it('writes the upstream’s model and omits unset fields', () => {
    expect(encode({}).body).toEqual({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
  });

  it('always requests a stream’s usage unless the upstream rejects the option', () => {
    expect(encode({ stream: true }).body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(encode({ stream: true }, 'm', { stream_usage: false }).body['stream_options']).toBeUndefined();
  });

  it('writes sampling options for models that support them', () => {
    const { body, losses } = encode({
      temperature: 0.5,
      topP: 0.9,
      topK: 4,
      presencePenalty: 1,
      frequencyPenalty: 1,
      logitBias: { '1': 1 },
      seed: 3,
      stop: ['x'],
    });
    expect(body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 1,
      frequency_penalty: 1,
      logit_bias: { '1': 1 },
      seed: 3,
      stop: ['x'],
    });
    expect(losses).toEqual(['top_k dropped']);
    expect(encode({ topK: 4 }, 'm', { top_k: true }).body).toMatchObject({ top_k: 4 });
  });

  it.each(['o3', 'o4-mini', 'gpt-5', 'gpt-5-mini', 'openai/gpt-6-codex'])(
    'writes a request for %s as OpenAI’s reasoning models require it',
    (model) => {
      const { body, losses } = encode(
        {
          maxOutputTokens: 9,
          temperature: 0.5,
          topP: 0.5,
          messages: [
            { role: 'system', content: [{ type: 'text', text: 's' }] },
            { role: 'user', content: [{ type: 'text', text: 'hi' }] },
          ],
        },
        model,
      );
      expect(body).toMatchObject({ max_completion_tokens: 9, messages: [{ role: 'developer' }, { role: 'user' }] });
      expect(body).not.toHaveProperty('temperature');
      expect(losses).toEqual(['temperature dropped', 'top_p dropped']);
    },
  );

  it('allows sampling for reasoning models without reasoning, and prefers configured traits over the name', () => {
    expect(encode({ temperature: 0.5, reasoning: { enabled: false } }, 'gpt-5').body).toMatchObject({
      temperature: 0.5,
      reasoning_effort: 'none',
    });
    const quirks = { max_tokens_field: 'max_tokens', instruction_role: 'system', sampling: true } as const;
    expect(encode({ temperature: 0.5, maxOutputTokens: 9 }, 'gpt-5', quirks).body).toMatchObject({
      temperature: 0.5,
      max_tokens: 9,
    });
    expect(encode({ temperature: 0.5 }, 'm', { sampling: false }).losses).toEqual(['temperature dropped']);
    expect(encode({ maxOutputTokens: 9 }).body).toMatchObject({ max_tokens: 9 });
  });

  it('omits unsupported stops and sends at most four', () => {
    expect(encode({ stop: ['x'] }, 'o3').losses).toEqual(['stop dropped']);
    const { body, losses } = encode({ stop: ['1', '2', '3', '4', '5'] });
    expect(body).toMatchObject({ stop: ['1', '2', '3', '4'] });
    expect(losses).toEqual(['stop clamped']);
  });

  it('writes the reasoning effort, derived from a budget if necessary', () => {
    expect(encode({ reasoning: { effort: 'xhigh' } }).body).toMatchObject({ reasoning_effort: 'xhigh' });
    expect(encode({ reasoning: { budgetTokens: 10_000 } })).toMatchObject({
      body: { reasoning_effort: 'medium' },
      losses: ['reasoning_budget replaced'],
    });
    expect(encode({ reasoning: { enabled: true, adaptive: true } }).body['reasoning_effort']).toBeUndefined();
    expect(encode({ reasoning: { effort: 'low' } }, 'm', { reasoning_effort: false }).losses).toEqual([
      'reasoning_effort dropped',
    ]);
  });

  it('adds the word JSON that vendors require in JSON mode', () => {
    const { body } = encode({ format: { type: 'json' } });
    expect(body).toMatchObject({ response_format: { type: 'json_object' } });
    expect(JSON.stringify(body['messages'])).toContain('JSON');
    const schema = { type: 'object', properties: { a: {} } };
    const format = { type: 'schema', name: 'my answer', schema, strict: true } as const;
    expect(encode({ format }).body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: expect.stringMatching(/^[\w-]{1,64}$/), schema, strict: true },
    });
    const cut = encode({ format }, 'm', { json_schema: false });
    expect(cut.body).toMatchObject({ response_format: { type: 'json_object' } });
    expect(JSON.stringify(cut.body['messages'])).toContain('properties');
    expect(cut.losses).toEqual(['response_format replaced']);
  });

  it('writes hints and reports unsupported ones', () => {
    const { body, losses } = encode({
      verbosity: 'low',
      cache: { key: 'k', auto: {} },
      serviceTier: 'standard_only',
      metadata: { a: 'b' },
      user: 'u',
      safety: [{ category: 'c', threshold: 't' }],
      topLogprobs: 2,
      choices: 2,
    });
    expect(body).toMatchObject({
      verbosity: 'low',
      prompt_cache_key: 'k',
      service_tier: 'default',
      metadata: { a: 'b' },
      user: 'u',
      n: 2,
    });
    expect(losses.toSorted()).toEqual(['cache_control dropped', 'logprobs dropped', 'safety_settings dropped']);
    expect(encode({ serviceTier: 'odd' }).losses).toEqual(['service_tier dropped']);
  });

  it('shortens a long user id to the same value each time', () => {
    const [one, two] = [encode({ user: 'x'.repeat(200) }), encode({ user: 'x'.repeat(200) })];
    expect(one.body['user']).toBe(two.body['user']);
    expect(String(one.body['user']).length).toBeLessThanOrEqual(64);
    expect(one.losses).toEqual(['user replaced']);
  });

  it('requests audio only if the client does', () => {
    expect(encode({ modalities: ['text'], audio: { format: 'mp3' } }).body).not.toHaveProperty('modalities');
    expect(encode({ modalities: ['text', 'audio'], audio: { format: 'mp3', voice: 'v' } }).body).toMatchObject({
      modalities: ['text', 'audio'],
      audio: { format: 'mp3', voice: 'v' },
    });
  });

  it('writes all required audio fields, including those that other clients omit', () => {
    const speech = { languageCode: 'de' };
    expect(encode({ modalities: ['audio'], audio: { voice: 'Kore' } }).body).toMatchObject({
      modalities: ['text', 'audio'],
      audio: { format: 'wav', voice: 'Kore' },
    });
    const { body, losses } = encode({ modalities: ['audio'], audio: { voice: speech }, stream: true });
    expect(body).toMatchObject({ audio: { format: 'pcm16', voice: 'alloy' } });
    expect(losses).toEqual(['audio.voice replaced']);
  });

  it('does not modify its input', () => {
    const request = Object.freeze({
      messages: Object.freeze([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]),
    });
    // The request is frozen, so a mutation would throw.
    expect(() => encode(request as Partial<GenerationRequest>)).not.toThrow();
  });
});
