import { describe, expect, it } from 'vitest';
import { WireError } from '../../http/wire-error.ts';
import { checkChatRequest } from './check-chat-request.ts';

const user = { role: 'user', content: 'hi' };
const tool = { type: 'function', function: { name: 'w', parameters: { type: 'object', properties: {} } } };
const called = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'w', arguments: '{}' } })),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'sunny' });
const request = (messages: unknown[], more: object = {}) => ({ model: 'm', messages, ...more });

function refusal(body: unknown): unknown {
  try {
    checkChatRequest(body);
    return undefined;
  } catch (error) {
    if (error instanceof WireError && error.status === 400) return error.body('');
    throw error;
  }
}

describe('checkChatRequest', () => {
  it.each([
    [request([user])],
    [request([{ role: 'system', content: 'x' }, { role: 'developer', content: [{ type: 'text', text: 'x' }] }, user])],
    [request([user, called('a', 'b'), result('b'), result('a'), user])],
    [request([user, { role: 'assistant', content: '', reasoning_content: 'x' }, user])],
    [request([user], { tools: [tool], tool_choice: { type: 'function', function: { name: 'w' } } })],
    [request([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }])],
    [request([user], { stream: true, stream_options: { include_usage: true }, stop: ['a'], temperature: null })],
  ])('accepts valid requests %#', (body) => {
    expect(refusal(body)).toBeUndefined();
  });

  it.each([
    [{}, 'model', 'missing_required_parameter', "Missing required parameter: 'model'."],
    [{ model: 'm' }, 'messages', 'missing_required_parameter', "Missing required parameter: 'messages'."],
    [request([]), 'messages', 'empty_array', "Invalid 'messages': empty array."],
    [request([user], { top_k: 1 }), 'top_k', 'unknown_parameter', "Unknown parameter: 'top_k'."],
    [request([{ ...user, x: 1 }]), 'messages[0].x', 'unknown_parameter', "Unknown parameter: 'messages[0].x'."],
    [
      request([{ role: 'boss', content: '' }]),
      'messages[0].role',
      'invalid_value',
      "Invalid value: 'boss'. Supported values are: 'system', 'developer', 'user', 'assistant', 'tool', and 'function'.",
    ],
    [
      request([user, result('a')]),
      'messages.[1].role',
      null,
      "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
    ],
    [
      request([user, called('a', 'b'), result('a'), user]),
      'messages.[3].role',
      null,
      'The following tool_call_ids did not have response messages: b',
    ],
    [request([user, called('a')]), 'messages.[2].role', null, 'did not have response messages: a'],
    [request([user, called('a'), result('c')]), 'messages.[2].tool_call_id', null, "'tool_call_id' of 'c' not found"],
    [
      request([user, called('x'.repeat(65)), result('x'.repeat(65))]),
      'messages[1].tool_calls[0].id',
      'string_above_max_length',
      'Expected a string with maximum length 64, but got a string with length 65 instead.',
    ],
    [request([user, called()]), 'messages[1].tool_calls', 'empty_array', 'empty array'],
    [
      request([user, { role: 'assistant', content: null }]),
      'messages.[1].content',
      null,
      "Invalid value for 'content': expected a string, got null.",
    ],
    [
      request([
        user,
        called('a'),
        { ...result('a'), content: [{ type: 'image_url', image_url: { url: 'https://x/y' } }] },
      ]),
      'messages[2].content[0].type',
      'invalid_value',
      "Invalid value: 'image_url'. Supported values are: 'text'.",
    ],
    [
      request([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'iVBORw0K' } }] }]),
      'messages[0].content[0].image_url.url',
      'invalid_value',
      'Expected a valid URL, or a base64-encoded data URL with an image MIME type',
    ],
    [request([user], { stream_options: {} }), 'stream_options', null, "only allowed when 'stream' is enabled"],
    [request([user], { stop: [] }), 'stop', 'empty_array', 'empty array'],
    [
      request([user], { stop: ['a', 'b', 'c', 'd', 'e'] }),
      'stop',
      'array_above_max_length',
      'maximum length 4, but got an array with length 5',
    ],
    [
      request([user], { temperature: 2.5 }),
      'temperature',
      'decimal_above_max_value',
      "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 2.5 instead.",
    ],
    [
      request([user], { temperature: 'hot' }),
      'temperature',
      'invalid_type',
      "Invalid type for 'temperature': expected a decimal, but got a string instead.",
    ],
    [request([user], { tool_choice: 'auto' }), 'tool_choice', null, "only allowed when 'tools' are specified"],
    [request([user], { tools: [] }), 'tools', 'empty_array', 'empty array'],
    [
      request([user], { tools: [tool], tool_choice: { type: 'function', function: { name: 'v' } } }),
      'tool_choice',
      null,
      "tool named 'v' was not specified",
    ],
    [
      request([user], { tools: [{ type: 'function', function: { name: 'a.b' } }] }),
      'tools[0].function.name',
      'invalid_value',
      "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ],
    [
      request([user], { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'string' } } }] }),
      'tools[0].function.parameters',
      'invalid_function_parameters',
      `schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
    ],
    [
      request([user], { response_format: { type: 'json_object' } }),
      'messages',
      null,
      "'messages' must contain the word 'json' in some form",
    ],
    [
      request([user], {
        response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: { type: 'object' } } },
      }),
      'response_format',
      null,
      "Invalid schema for response_format 'x': In context=(), 'additionalProperties' is required",
    ],
    [
      { ...request([user], { max_tokens: 5 }), model: 'gpt-5.5' },
      'max_tokens',
      'unsupported_parameter',
      "Use 'max_completion_tokens' instead.",
    ],
    [
      { ...request([user], { temperature: 0.5 }), model: 'o3-mini' },
      'temperature',
      'unsupported_value',
      'Only the default (1) value is supported.',
    ],
  ])('rejects with OpenAI’s messages %#', (body, param, code, message) => {
    expect(refusal(body)).toEqual({
      error: { type: 'invalid_request_error', param, code, message: expect.stringContaining(message) },
    });
  });
});
