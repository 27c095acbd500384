import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

testTextEndpoint('compaction', {
  types: {
    model: ['string'],
    input: ['string', 'null'],
    instructions: ['string', 'null'],
    previous_response_id: ['string', 'null'],
  },
});
