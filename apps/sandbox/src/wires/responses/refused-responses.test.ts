import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const error = (code: string | null, message: string, param: string | null = null) => ({
  error: { type: 'invalid_request_error', code, param, message: expect.stringContaining(message) },
});

it.each([
  ['x', { stop: ['a'] }, error('unknown_parameter', "Unknown parameter: 'stop'.", 'stop')],
  ['x', { max_output_tokens: 5 }, error('integer_below_min_value', 'Expected a value >= 16', 'max_output_tokens')],
  [
    'x',
    { previous_response_id: 'resp_0' },
    error('previous_response_not_found', "'resp_0' not found", 'previous_response_id'),
  ],
  [undefined, {}, error('missing_required_parameter', 'must be provided')],
  [[{ type: 'item_reference', id: 'rs_0' }], {}, error(null, "Item with id 'rs_0' not found.", 'input')],
  [
    [{ role: 'user', content: 'x', foo: 1 }],
    {},
    error('unknown_parameter', "Unknown parameter: 'input[0].foo'.", 'input[0].foo'),
  ],
  [
    [{ type: 'function_call', id: 'call_1', call_id: 'c', name: 'w', arguments: '{}' }],
    {},
    error('invalid_value', "Expected an ID that begins with 'fc'.", 'input[0].id'),
  ],
  [
    [{ type: 'function_call', call_id: 'c'.repeat(65), name: 'w', arguments: '{}' }],
    {},
    error('string_above_max_length', 'maximum length 64', 'input[0].call_id'),
  ],
  [
    [{ type: 'function_call', call_id: 'c', name: 'w', arguments: '{}' }],
    {},
    error(null, 'No tool output found for function call c.', 'input'),
  ],
  [
    [{ type: 'function_call_output', call_id: 'c', output: 'x' }],
    {},
    error(null, 'No tool call found for function call output with call_id c.', 'input'),
  ],
  [
    [{ type: 'compaction_trigger' }, { role: 'user', content: 'x' }],
    {},
    error('invalid_value', 'must be the final input item', 'input[0]'),
  ],
  [[{ type: 'reasoning', id: 'rs_1', summary: [] }], {}, error(null, 'without its required following item', 'input')],
  [
    [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }],
    {},
    error('invalid_value', "Supported values are: 'output_text' and 'refusal'.", 'input[0].content[0].type'),
  ],
  [
    [
      { type: 'reasoning', summary: [], encrypted_content: 'AAAA' },
      { role: 'assistant', content: 'x' },
    ],
    {},
    error('invalid_encrypted_content', 'could not be verified'),
  ],
  ['x', { text: { format: { type: 'json_object' } } }, error(null, "must contain the word 'json'", 'input')],
  ['[context]', {}, error('context_length_exceeded', 'exceeds the context window', 'input')],
])('the responses API rejects %j with %j with OpenAI’s messages', async (input, more, body) => {
  const response = await fetch(`${sandbox.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input, ...more }),
  });
  expect(await response.json()).toEqual(body);
});
