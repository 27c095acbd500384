import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

testTextEndpoint('text completions', {
  types: {
    model: ['string'],
    prompt: ['string', 'array'],
    max_tokens: ['null'],
    temperature: ['number', 'null'],
    top_p: ['number', 'null'],
    n: ['null'],
    stream: ['boolean', 'null'],
    stop: ['string', 'null'],
    suffix: ['string', 'null'],
    echo: ['boolean', 'null'],
  },
  required: ['prompt'],
  empty: [['prompt', []]],
});
