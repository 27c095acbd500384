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
const ask = (messages: unknown[], more: object = {}) => ({ model: 'm', messages, ...more });

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
    [ask([user])],
    [ask([{ role: 'system', content: 'x' }, { role: 'developer', content: [{ type: 'text', text: 'x' }] }, user])],
    [ask([user, called('a', 'b'), result('b'), result('a'), user])],
    [ask([user, { role: 'assistant', content: '', reasoning_content: 'x' }, user])],
    [ask([user], { tools: [tool], tool_choice: { type: 'function', function: { name: 'w' } } })],
    [ask([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }])],
    [ask([user], { stream: true, stream_options: { include_usage: true }, stop: ['a'], temperature: null })],
  ])('accepts what OpenAI accepts %#', (body) => {
    expect(refusal(body)).toBeUndefined();
  });

  it.each([
    [{}, 'model', 'missing_required_parameter', "Missing required parameter: 'model'."],
    [{ model: 'm' }, 'messages', 'missing_required_parameter', "Missing required parameter: 'messages'."],
    [ask([]), 'messages', 'empty_array', "Invalid 'messages': empty array."],
    [ask([user], { top_k: 1 }), 'top_k', 'unknown_parameter', "Unknown parameter: 'top_k'."],
    [ask([{ ...user, x: 1 }]), 'messages[0].x', 'unknown_parameter', "Unknown parameter: 'messages[0].x'."],
    [
      ask([{ role: 'boss', content: '' }]),
      'messages[0].role',
      'invalid_value',
      "Invalid value: 'boss'. Supported values are: 'system', 'developer', 'user', 'assistant', and 'tool'.",
    ],
    [
      ask([user, result('a')]),
      'messages.[1].role',
      null,
      "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
    ],
    [
      ask([user, called('a', 'b'), result('a'), user]),
      'messages.[3].role',
      null,
      'The following tool_call_ids did not have response messages: b',
    ],
    [ask([user, called('a')]), 'messages.[2].role', null, 'did not have response messages: a'],
    [ask([user, called('a'), result('c')]), 'messages.[2].tool_call_id', null, "'tool_call_id' of 'c' not found"],
    [
      ask([user, called('x'.repeat(65)), result('x'.repeat(65))]),
      'messages[1].tool_calls[0].id',
      'string_above_max_length',
      'Expected a string with maximum length 64, but got a string with length 65 instead.',
    ],
    [ask([user, called()]), 'messages[1].tool_calls', 'empty_array', 'empty array'],
    [
      ask([user, { role: 'assistant', content: null }]),
      'messages.[1].content',
      null,
      "Invalid value for 'content': expected a string, got null.",
    ],
    [
      ask([user, called('a'), { ...result('a'), content: [{ type: 'image_url', image_url: { url: 'https://x/y' } }] }]),
      'messages[2].content[0].type',
      'invalid_value',
      "Invalid value: 'image_url'. Supported values are: 'text'.",
    ],
    [
      ask([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'iVBORw0K' } }] }]),
      'messages[0].content[0].image_url.url',
      'invalid_value',
      'Expected a valid URL, or a base64-encoded data URL with an image MIME type',
    ],
    [ask([user], { stream_options: {} }), 'stream_options', null, "only allowed when 'stream' is enabled"],
    [ask([user], { stop: [] }), 'stop', 'empty_array', 'empty array'],
    [
      ask([user], { stop: ['a', 'b', 'c', 'd', 'e'] }),
      'stop',
      'array_above_max_length',
      'maximum length 4, but got an array with length 5',
    ],
    [
      ask([user], { temperature: 2.5 }),
      'temperature',
      'decimal_above_max_value',
      "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 2.5 instead.",
    ],
    [
      ask([user], { temperature: 'hot' }),
      'temperature',
      'invalid_type',
      "Invalid type for 'temperature': expected a decimal, but got a string instead.",
    ],
    [ask([user], { tool_choice: 'auto' }), 'tool_choice', null, "only allowed when 'tools' are specified"],
    [ask([user], { tools: [] }), 'tools', 'empty_array', 'empty array'],
    [
      ask([user], { tools: [tool], tool_choice: { type: 'function', function: { name: 'v' } } }),
      'tool_choice',
      null,
      "tool named 'v' was not specified",
    ],
    [
      ask([user], { tools: [{ type: 'function', function: { name: 'a.b' } }] }),
      'tools[0].function.name',
      'invalid_value',
      "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ],
    [
      ask([user], { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'string' } } }] }),
      'tools[0].function.parameters',
      'invalid_function_parameters',
      `schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
    ],
    [
      ask([user], { response_format: { type: 'json_object' } }),
      'messages',
      null,
      "'messages' must contain the word 'json' in some form",
    ],
    [
      ask([user], {
        response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: { type: 'object' } } },
      }),
      'response_format',
      null,
      "Invalid schema for response_format 'x': In context=(), 'additionalProperties' is required",
    ],
    [
      { ...ask([user], { max_tokens: 5 }), model: 'gpt-5.5' },
      'max_tokens',
      'unsupported_parameter',
      "Use 'max_completion_tokens' instead.",
    ],
    [
      { ...ask([user], { temperature: 0.5 }), model: 'o3-mini' },
      'temperature',
      'unsupported_value',
      'Only the default (1) value is supported.',
    ],
  ])('rejects in OpenAI’s words %#', (body, param, code, message) => {
    expect(refusal(body)).toEqual({
      error: { type: 'invalid_request_error', param, code, message: expect.stringContaining(message) },
    });
  });
});
