import type { Message } from '@anthropic-ai/sdk/resources/messages';
import type { TextTarget } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeResponse } from './decode-response.ts';

const target: TextTarget = { upstream: 'a', account: 'acc', protocol: 'messages', model: 'claude-x', quirks: {} };
const decode = (body: unknown) => decodeResponse(body, { target, newId: (prefix) => `${prefix}1` });

const MESSAGE: Message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x-1',
  container: null,
  diagnostics: null,
  content: [
    { type: 'text', text: 'Hi', citations: null },
    { type: 'tool_use', id: 't', name: 'run', input: {}, caller: { type: 'direct' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  stop_details: null,
  usage: {
    input_tokens: 25,
    cache_creation: null,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 75,
    inference_geo: null,
    output_tokens: 3,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  },
};

describe('decodeResponse', () => {
  it('reads a message in the SDK’s format', () => {
    expect(decode(MESSAGE)).toEqual({
      id: 'msg_1',
      model: 'claude-x-1',
      choices: [
        {
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'tool-call', callId: 't', name: 'run', kind: 'function', arguments: '{}' },
          ],
          finish: 'tool_calls',
        },
      ],
      usage: { inputTokens: 110, cachedTokens: 75, cacheWriteTokens: 10, outputTokens: 3, serviceTier: 'default' },
      serviceTier: 'default',
    });
  });

  it("reads the synthetic JSON tool's call as the response, without the text next to it", () => {
    const content = [
      { type: 'text', text: 'Here:' },
      { type: 'tool_use', id: 't', name: 'sluice_json_answer', input: { a: 1 } },
    ];
    expect(decode({ ...MESSAGE, content }).choices).toEqual([
      { content: [{ type: 'text', text: '{"a":1}' }], finish: 'stop' },
    ]);
  });

  it.each([null, 'no', {}, { content: 'text' }])('rejects %j', (body) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'provider_error' }));
  });

  it('decodes an error body in a successful response', () => {
    const body = { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } };
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'provider_overloaded', message: 'Busy' }));
  });
});
