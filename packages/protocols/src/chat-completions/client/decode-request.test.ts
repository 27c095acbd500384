import { GatewayError, type GenerationRequest, type Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { requestsSingleCall } from '../../text/single-call.ts';
import { decodeRequest } from './decode-request.ts';

const hello = [{ role: 'user', content: 'hi' }];

function decode(body: Record<string, unknown>): { request: GenerationRequest; losses: Loss[] } {
  const losses: Loss[] = [];
  const request = decodeRequest({
    body: { model: 'm', messages: hello, ...body },
    model: 'm',
    stream: false,
    tokenCodec: createTokenCodec('secret'),
    report: (loss) => losses.push(loss),
  });
  return { request, losses };
}

function refusal(body: Record<string, unknown>): GatewayError {
  try {
    decode(body);
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error('was not refused');
}

describe('decodeRequest', () => {
  it('decodes every field of the canonical model', () => {
    const { request, losses } = decode({
      max_completion_tokens: 7,
      max_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      seed: 0,
      n: 2,
      presence_penalty: -1,
      frequency_penalty: 1,
      logit_bias: { '1': -100 },
      logprobs: true,
      top_logprobs: 2,
      stop: 'END',
      verbosity: 'low',
      modalities: ['text', 'audio'],
      audio: { format: 'mp3', voice: 'alloy' },
      parallel_tool_calls: false,
      service_tier: 'flex',
      user: 'u',
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
    });
    expect(request).toMatchObject({
      maxOutputTokens: 7,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      seed: 0,
      choices: 2,
      presencePenalty: -1,
      frequencyPenalty: 1,
      logitBias: { '1': -100 },
      topLogprobs: 2,
      stop: ['END'],
      verbosity: 'low',
      modalities: ['text', 'audio'],
      audio: { format: 'mp3', voice: 'alloy' },
      parallelToolCalls: false,
      serviceTier: 'flex',
      user: 'u',
      metadata: { a: 'b' },
      cache: { key: 'k' },
    });
    expect(losses).toEqual([{ field: 'max_tokens', how: 'dropped' }]);
  });

  it('treats null as absent and an empty stop list as none', () => {
    const { request, losses } = decode({ temperature: null, stop: [], tools: null, n: null, prediction: null });
    expect(request).toEqual({
      protocol: 'chat-completions',
      model: 'm',
      stream: false,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: [],
    });
    expect(losses).toEqual([]);
  });

  it('reports fields without an equivalent by the client’s name', () => {
    const { losses } = decode({
      prediction: { type: 'content', content: 'x' },
      web_search_options: {},
      extra_body: { google: { thinking_config: { thinking_budget: 5 }, cached_content: 'c' } },
      modalities: ['text', 'smell'],
      max_tokens: -1,
      stream_options: { include_usage: true },
    });
    expect(losses.map(({ field }) => field).toSorted()).toEqual([
      'extra_body[google][cached_content]',
      'max_tokens',
      'modalities[smell]',
      'prediction',
      'web_search_options',
    ]);
  });

  it('reads the response format and rejects an unknown one', () => {
    const schema = { type: 'object' };
    const format = { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } };
    expect(decode({ response_format: format }).request.format).toEqual({
      type: 'schema',
      name: 'a',
      schema,
      strict: true,
    });
    expect(decode({ response_format: { type: 'json_object' } }).request.format).toEqual({ type: 'json' });
    expect(refusal({ response_format: { type: 'xml' } })).toMatchObject({
      param: 'response_format[type]',
      status: 400,
    });
    expect(refusal({ response_format: { type: 'json_schema' } }).param).toBe('response_format[json_schema]');
  });

  it('reads functions as tools, limited to one call, and function_call as tool_choice', () => {
    const { request } = decode({
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      function_call: { name: 'f' },
    });
    expect(request.tools).toEqual([{ kind: 'function', name: 'f', schema: { type: 'object' } }]);
    expect(request.toolChoice).toEqual({ type: 'tool', name: 'f' });
    expect(request.parallelToolCalls).toBe(false);
    expect(requestsSingleCall(request)).toBe(false);
    const explicit = decode({ functions: [{ name: 'f' }], parallel_tool_calls: false }).request;
    expect(requestsSingleCall(explicit)).toBe(true);
  });
});
