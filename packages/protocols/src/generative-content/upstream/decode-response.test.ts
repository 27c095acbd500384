import { describe, expect, it } from 'vitest';
import { decodeResponse } from './decode-response.ts';

const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  quirks: {},
} as const;
const decode = (body: unknown) => decodeResponse(body, { target, newId: (prefix) => `${prefix}1` });

describe('decodeResponse', () => {
  it('reads a response with thoughts, text, a call, and usage', () => {
    expect(
      decode({
        candidates: [
          {
            content: {
              role: 'model',
              parts: [
                { text: 'hm', thought: true },
                { text: 'hi' },
                { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'AA==' },
              ],
            },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
        modelVersion: 'gemini-3-pro-001',
        responseId: 'r1',
      }),
    ).toEqual({
      id: 'r1',
      model: 'gemini-3-pro-001',
      choices: [
        {
          content: [
            { type: 'reasoning', text: ['hm'], isSummary: true },
            { type: 'text', text: 'hi' },
            {
              type: 'tool-call',
              callId: 'c1',
              name: 'f',
              kind: 'function',
              arguments: '{"a":1}',
              opaqueToken: { protocol: 'generative-content', account: 'a1', model: 'gemini-3-pro', value: 'AA==' },
            },
          ],
          finish: 'tool_calls',
        },
      ],
      usage: { inputTokens: 1, outputTokens: 2 },
    });
  });

  it('orders candidates by index', () => {
    const [second, first] = [1, 0].map((index) => ({ index, content: { parts: [{ text: String(index) }] } }));
    expect(decode({ candidates: [second, first] }).choices.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: '0' }],
      [{ type: 'text', text: '1' }],
    ]);
  });

  it('converts a blocked prompt to an empty response with the reason', () => {
    expect(decode({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }).choices).toEqual([
      {
        content: [],
        finish: 'content_filter',
        detail: "The upstream's content policy blocked the request: PROHIBITED_CONTENT.",
      },
    ]);
  });

  it.each([
    ['text', 'provider_error'],
    [{}, 'provider_error'],
    [{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }, 'provider_error'],
    [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 'rate_limited'],
  ])('throws for %j', (body, code) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code }));
  });

  it('accepts a complete response without a finish reason', () => {
    expect(decode({ candidates: [{ content: { parts: [{ text: 'a' }] } }] }).choices[0]?.finish).toBe('other');
  });
});
