import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

testTextEndpoint('/v1beta countTokens', {
  types: {
    contents: [],
    generationConfig: ['object', 'null'],
    systemInstruction: ['string', 'object', 'null'],
    toolConfig: ['object', 'null'],
    cachedContent: ['string', 'null'],
  },
});

testTextEndpoint('/v1 countTokens');
