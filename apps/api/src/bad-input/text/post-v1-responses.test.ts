import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

/** Two user messages, the second with this content. */
const second = (content: unknown) => [
  { role: 'user', content: 'hi' },
  { role: 'user', content },
];

testTextEndpoint('responses', {
  types: {
    model: ['string'],
    input: ['string', 'null'],
    instructions: ['string', 'null'],
    max_output_tokens: ['null'],
    temperature: ['number', 'null'],
    top_p: ['null'],
    stream: ['boolean', 'null'],
    tools: ['null'],
    tool_choice: ['string', 'object', 'null'],
    reasoning: ['object', 'null'],
    previous_response_id: ['string', 'null'],
    truncation: ['null'],
    store: ['boolean', 'null'],
    background: ['boolean', 'null'],
  },
  unknownValues: [['truncation', 'maybe']],
  empty: [['model', '']],
  nested: [
    [{ input: [{}] }, 'input[0][type]'],
    [{ input: second(5) }, 'input[1][content]'],
    [{ input: second([null]) }, 'input[1][content][0]'],
    [{ input: second([{ type: 'input_image', image_url: 5 }]) }, 'input[1][content][0][image_url]'],
    [{ input: second([{ type: 'input_file', file_data: 5 }]) }, 'input[1][content][0][file_data]'],
    [{ input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }, 'input[0][call_id]'],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: 5 }] }, 'input[0][output]'],
    [{ tools: [{}] }, 'tools[0][type]'],
    [{ tool_choice: { type: 5 } }, 'tool_choice[type]'],
    [{ text: { format: { type: 'json_schema', name: 'n', schema: 5 } } }, 'text[format][schema]'],
  ],
});
