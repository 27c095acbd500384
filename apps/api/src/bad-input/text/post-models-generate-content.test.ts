import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';

const parts = (...values: unknown[]) => ({ contents: [{ role: 'user', parts: values }] });

testTextEndpoint('/v1beta generateContent', {
  types: {
    contents: [],
    generationConfig: ['object', 'null'],
    systemInstruction: ['string', 'object', 'null'],
    toolConfig: ['object', 'null'],
    cachedContent: ['string', 'null'],
  },
  required: ['contents'],
});

testTextEndpoint('/v1 generateContent', {
  empty: [['contents', []]],
  nested: [
    [{ contents: [{ role: 'wizard', parts: [{ text: 'x' }] }] }, 'contents[0][role]'],
    [{ contents: [{ parts: 5 }] }, 'contents[0][parts]'],
    [parts(5), 'contents[0][parts][0]'],
    [parts({ inlineData: { data: '%' } }), 'contents[0][parts][0][inlineData][data]'],
    [parts({ functionCall: {} }), 'contents[0][parts][0][functionCall][name]'],
    [{ tools: [{ functionDeclarations: [{}] }] }, 'tools[0][functionDeclarations][0][name]'],
    [{ generationConfig: { temperature: 'x' } }, 'generationConfig[temperature]'],
    [{ generationConfig: { stopSequences: 5 } }, 'generationConfig[stopSequences]'],
  ],
});
