import { describe, expect, it } from 'vitest';
import { decodeResponse } from './decode-response.ts';

const target = { upstream: 'u', account: 'acc', protocol: 'chat-completions', model: 'm', quirks: {} } as const;
const decode = (body: unknown) => decodeResponse(body, { target, newId: (prefix) => `${prefix}x` });
const response = (message: object, finish_reason: string | null = 'stop', more: object = {}) => ({
  id: 'chatcmpl-1',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason, ...more }],
});
const content = (message: object) => decode(response(message)).choices[0]?.content;

const choice = (index: number) => ({ index, message: { content: String(index) }, finish_reason: 'stop' });

describe('decodeResponse', () => {
  it('reads reasoning, text, calls, and usage', () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
      { id: 'b', type: 'custom', custom: { name: 'g', input: 'ls' } },
      { function: { name: 'h', arguments: { y: 2 } } },
    ];
    const body = {
      ...response({ content: 'hi', reasoning_content: 'hm', tool_calls: calls }),
      usage: { prompt_tokens: 1, completion_tokens: 2 },
      service_tier: 'flex',
    };
    expect(decode(body)).toEqual({
      id: 'chatcmpl-1',
      model: 'm-1',
      serviceTier: 'flex',
      usage: { inputTokens: 1, outputTokens: 2, serviceTier: 'flex' },
      choices: [
        {
          finish: 'tool_calls',
          content: [
            { type: 'reasoning', text: ['hm'], isSummary: false },
            { type: 'text', text: 'hi' },
            { type: 'tool-call', callId: 'a', name: 'f', kind: 'function', arguments: '{"x":1}' },
            { type: 'tool-call', callId: 'b', name: 'g', kind: 'custom', arguments: 'ls' },
            { type: 'tool-call', callId: 'call_x', name: 'h', kind: 'function', arguments: '{"y":2}' },
          ],
        },
      ],
    });
  });

  it('creates no block for an empty text or an empty list of calls', () => {
    expect(content({ content: '', tool_calls: [], refusal: null })).toEqual([]);
    expect(content({ content: null, function_call: { name: 'f', arguments: '{}' } })).toMatchObject([
      { type: 'tool-call', name: 'f' },
    ]);
  });

  it('reads Mistral’s parts, refusals, and sources', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] },
      { type: 'text', text: 'b' },
    ];
    expect(content({ content: parts })).toEqual([
      { type: 'reasoning', text: ['a'], isSummary: false },
      { type: 'text', text: 'b' },
    ]);
    expect(decode(response({ content: null, refusal: 'no' })).choices).toEqual([
      { content: [{ type: 'refusal', text: 'no' }], finish: 'refusal' },
    ]);
    const cited = [{ type: 'url_citation', url_citation: { url: 'https://x.test' } }];
    expect(content({ content: 'a', annotations: cited })).toEqual([
      { type: 'text', text: 'a', citations: [{ url: 'https://x.test' }] },
    ]);
  });

  it('sorts choices by index', () => {
    expect(decode({ choices: [choice(1), choice(0)] }).choices.map((one) => one.content)).toEqual([
      [{ type: 'text', text: '0' }],
      [{ type: 'text', text: '1' }],
    ]);
  });

  it('treats a missing finish reason as a stop and reports the matched stop sequence', () => {
    expect(decode(response({ content: 'a' }, null)).choices[0]?.finish).toBe('stop');
    expect(decode(response({ content: 'a' }, 'stop', { stop_reason: 'END' })).choices[0]).toMatchObject({
      finish: 'stop_sequence',
      stopSequence: 'END',
    });
  });

  it('detects errors with a success status', () => {
    expect(() => decode({ error: { message: 'slow', code: 429 } })).toThrow(
      expect.objectContaining({ code: 'rate_limited' }),
    );
    expect(() => decode(response({ content: '' }, 'error', { error: { message: 'x', code: 503 } }))).toThrow(
      expect.objectContaining({ code: 'provider_overloaded' }),
    );
    expect(decode({ ...response({ content: 'a' }), error: null }).choices).toHaveLength(1);
  });

  it.each([['text'], [null], [{}], [{ choices: [] }], [response({ tool_calls: [{ id: 'a' }] })]])(
    'rejects %j',
    (body) => {
      expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'provider_error' }));
    },
  );
});
