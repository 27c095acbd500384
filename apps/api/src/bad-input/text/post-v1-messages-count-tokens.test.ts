import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

/** Two user messages, the second with this content. */
const second = (content: unknown) => [
  { role: 'user', content: 'hi' },
  { role: 'user', content },
];

testTextEndpoint('message tokens', {
  types: {
    model: ['string'],
    messages: ['array'],
    system: ['string', 'array', 'null'],
    tools: ['array', 'null'],
    tool_choice: ['object', 'null'],
    thinking: ['object', 'null'],
  },
  nested: [[{ messages: second(5) }, 'messages[1][content]']],
});
