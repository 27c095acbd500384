import type { Kinds } from '../../json/expect-kinds.ts';

const MEDIA = { mimeType: 'string', data: 'string' } as const;
const FILE = { mimeType: 'string', fileUri: 'string' } as const;

const PART: Kinds = {
  text: 'string',
  thoughtSignature: 'string',
  inlineData: MEDIA,
  fileData: FILE,
  functionCall: { id: 'string', name: 'string', args: 'object' },
  functionResponse: { id: 'string', name: 'string', response: 'object' },
};

/** Field types of a request, with keys in camel case. Lists that can also be a single value are not included. */
export const REQUEST_KINDS: Kinds = {
  contents: [{ role: 'string', parts: [PART] }],
  toolConfig: { functionCallingConfig: { mode: 'string', allowedFunctionNames: ['string'] } },
  generationConfig: {
    stopSequences: ['string'],
    responseMimeType: 'string',
    responseSchema: 'object',
    responseModalities: ['string'],
    thinkingConfig: 'object',
    speechConfig: 'object',
  },
};
