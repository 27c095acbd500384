import type { TextTarget } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeResponse } from './decode-response.ts';
import type { JsonObject } from '../../json/values.ts';

const target: TextTarget = { upstream: 'u', account: 'acct', protocol: 'responses', model: 'gpt-5', quirks: {} };
const decode = (body: unknown) => decodeResponse(body, { target, newId: (prefix) => `${prefix}new` });
const response = (output: JsonObject[], rest: JsonObject = {}) => ({
  id: 'resp_1',
  model: 'gpt-5-2025',
  status: 'completed',
  output,
  ...rest,
});
const hello = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] };
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}' };

describe('decodeResponse', () => {
  it('reads items, finish, and usage', () => {
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'gAAAA' },
      hello,
      call,
      { type: 'custom_tool_call', call_id: 'call_2', name: 'exec', namespace: 'n', input: 'ls' },
    ];
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens_details: { reasoning_tokens: 3 },
    };
    expect(decode(response(output, { usage, service_tier: 'default' }))).toEqual({
      id: 'resp_1',
      model: 'gpt-5-2025',
      serviceTier: 'default',
      choices: [
        {
          finish: 'tool_calls',
          content: [
            {
              type: 'reasoning',
              text: ['Hm'],
              isSummary: true,
              id: 'rs_1',
              opaqueToken: { protocol: 'responses', account: 'acct', model: 'gpt-5', value: 'gAAAA' },
            },
            { type: 'text', text: 'Hi' },
            { type: 'tool-call', callId: 'call_1', name: 'f', kind: 'function', arguments: '{}' },
            { type: 'tool-call', callId: 'call_2', name: 'n__exec', kind: 'custom', arguments: 'ls' },
          ],
        },
      ],
      usage: {
        inputTokens: 10,
        outputTokens: 5,
        cachedTokens: 4,
        cacheWriteTokens: 2,
        reasoningTokens: 3,
        serviceTier: 'default',
      },
    });
  });

  it('ends an incomplete response with its reason and preserves its content', () => {
    const body = response([hello], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    expect(decode(body).choices[0]).toMatchObject({ finish: 'length', content: [{ text: 'Hi' }] });
  });

  it('omits empty texts and empty reasoning', () => {
    const empty = { type: 'message', content: [{ type: 'output_text', text: '' }] };
    expect(decode(response([empty, { type: 'reasoning', summary: [] }, hello])).choices[0]?.content).toHaveLength(1);
  });

  it.each([
    [response([], { status: 'failed', error: { code: 'server_error', message: 'boom' } }), 'provider_error', 'boom'],
    [
      response([], { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow' } }),
      'rate_limited',
      'slow',
    ],
    [{ error: { code: 'context_length_exceeded', message: 'long' } }, 'context_length_exceeded', 'long'],
    [response([], { status: 'in_progress' }), 'provider_error', expect.any(String)],
    ['<html>', 'provider_error', expect.any(String)],
    [undefined, 'provider_error', expect.any(String)],
    [{ choices: [] }, 'provider_error', expect.any(String)],
  ])('throws for %j', (body, code, message) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code, message }));
  });
});
