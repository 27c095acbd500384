import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

/** Two user messages, the second with this content. */
const second = (content: unknown) => [
  { role: 'user', content: 'hi' },
  { role: 'user', content },
];

testTextEndpoint('response tokens', {
  types: {
    model: ['string'],
    input: ['string', 'null'],
    tools: ['null'],
    tool_choice: ['string', 'object', 'null'],
    reasoning: ['object', 'null'],
  },
  nested: [[{ input: second(5) }, 'input[1][content]']],
});
