import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

/** Two user messages, the second with this content. */
const second = (content: unknown) => [
  { role: 'user', content: 'hi' },
  { role: 'user', content },
];
const part = (type: string, value: unknown) => ({ type, [type]: value });

testTextEndpoint('messages', {
  types: {
    model: ['string'],
    messages: ['array'],
    max_tokens: [],
    system: ['string', 'array', 'null'],
    cache_control: ['object', 'null'],
    inference_geo: ['string', 'null'],
    temperature: ['null'],
    top_p: ['number', 'null'],
    top_k: ['null'],
    stream: ['boolean', 'null'],
    stop_sequences: ['null'],
    tools: ['array', 'null'],
    tool_choice: ['object', 'null'],
    thinking: ['object', 'null'],
    context_management: ['object', 'null'],
    output_config: ['object', 'null'],
    output_format: ['object', 'null'],
    container: ['string', 'object', 'null'],
    mcp_servers: ['array', 'null'],
    metadata: ['object', 'null'],
    speed: ['null'],
    service_tier: ['null'],
  },
  limits: [
    ['max_tokens', [1], [0, -1, 1.5]],
    ['temperature', [0, 1], [-0.01, 1.01]],
  ],
  unknownValues: [
    ['speed', 'slow'],
    ['service_tier', 'gold'],
  ],
  required: ['messages', 'max_tokens'],
  empty: [['model', '']],
  nested: [
    [{ messages: [5] }, 'messages[0]'],
    [{ messages: [{ role: 'wizard', content: 'x' }] }, 'messages[0][role]'],
    [{ messages: second(true) }, 'messages[1][content]'],
    [{ messages: second(['x']) }, 'messages[1][content][0]'],
    [{ messages: second([part('text', {})]) }, 'messages[1][content][0][text]'],
    [{ messages: second([{ type: 'image' }]) }, 'messages[1][content][0][source]'],
    [{ messages: second([{ type: 'image', source: {} }]) }, 'messages[1][content][0][source][type]'],
    [
      { messages: second([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '%' } }]) },
      'messages[1][content][0][source][data]',
    ],
    [
      { messages: second([{ type: 'image', source: { type: 'url', url: 5 } }]) },
      'messages[1][content][0][source][url]',
    ],
  ],
});
