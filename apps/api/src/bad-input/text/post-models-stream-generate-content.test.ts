import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

testTextEndpoint('/v1beta streamGenerateContent', {
  types: {
    contents: [],
    generationConfig: ['object', 'null'],
    systemInstruction: ['string', 'object', 'null'],
    toolConfig: ['object', 'null'],
    cachedContent: ['string', 'null'],
  },
});

testTextEndpoint('/v1 streamGenerateContent');
