import { CALL_ID, inSequence, oneOf, PDF, PLAIN, PNG, TEXT, type Template } from './body-template.ts';

const JSON_SCHEMA: Template = {
  type: 'object',
  properties: { a: { type: 'string', description: TEXT } },
  'title?': TEXT,
};
const OPENAPI_SCHEMA: Template = {
  type: 'OBJECT',
  properties: {
    a: {
      type: 'STRING',
      description: TEXT,
      'nullable?': true,
      'format?': 'date-time',
      'example?': TEXT,
      'title?': TEXT,
    },
    b: { type: 'ARRAY', items: { type: 'INTEGER', minimum: 7 }, 'minItems?': 3 },
  },
  required: ['a'],
  'propertyOrdering?': inSequence('b'),
  'description?': TEXT,
};
const MEDIA = oneOf(
  { mimeType: 'image/png', data: PNG, 'displayName?': TEXT },
  { mimeType: 'application/pdf', data: PDF, 'displayName?': TEXT },
  { mimeType: 'text/plain', data: PLAIN, 'displayName?': TEXT },
);
const SIGNATURE = { 'thoughtSignature?': 'U0lH' };
const USER_PART = oneOf(
  { text: TEXT, 'novel?': TEXT },
  { inlineData: MEDIA, 'mediaResolution?': { level: 'MEDIA_RESOLUTION_LOW' }, 'partMetadata?': { a: TEXT } },
  { hologram: TEXT },
);
const MODEL_PART = oneOf(
  { text: TEXT, ...SIGNATURE },
  { text: TEXT, thought: true, ...SIGNATURE },
  { executableCode: { language: 'PYTHON', code: TEXT } },
);
const STEP = inSequence(
  {
    role: 'model',
    parts: inSequence({
      functionCall: { id: CALL_ID, name: 'go', args: { a: TEXT }, 'willContinue?': true },
      ...SIGNATURE,
    }),
  },
  {
    role: 'user',
    parts: inSequence({
      functionResponse: {
        id: CALL_ID,
        name: 'go',
        response: oneOf({ output: TEXT }, { error: TEXT }, { a: TEXT, b: 7 }),
        'parts?': [{ inlineData: MEDIA }],
        'scheduling?': 'SILENT',
        'willContinue?': true,
      },
    }),
  },
);
const FUNCTION: Template = {
  name: TEXT,
  'description?': TEXT,
  'parameters?': OPENAPI_SCHEMA,
  'behavior?': 'BLOCKING',
  'response?': OPENAPI_SCHEMA,
  'novel?': TEXT,
};
const VOICE: Template = { prebuiltVoiceConfig: { voiceName: TEXT } };

/** A valid request to `POST …:generateContent`. */
export const GENERATIVE_TEMPLATE: Template = {
  contents: [{ role: 'user', parts: [USER_PART] }, { role: 'model', parts: [MODEL_PART], 'novel?': TEXT }, STEP],
  'systemInstruction?': { 'role?': 'user', parts: [{ text: TEXT }, { inlineData: MEDIA }], 'novel?': TEXT },
  'tools?': [
    { functionDeclarations: [FUNCTION, { name: TEXT, parametersJsonSchema: JSON_SCHEMA }] },
    { googleSearch: {} },
  ],
  'toolConfig?': {
    'functionCallingConfig?': { mode: oneOf('AUTO', 'ANY', 'NONE'), 'novel?': TEXT },
    'retrievalConfig?': { languageCode: TEXT },
  },
  'safetySettings?': [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE', 'method?': 'SEVERITY' }],
  'generationConfig?': {
    'temperature?': oneOf(0.27, 1.27),
    'topP?': 0.37,
    'topK?': 47,
    'candidateCount?': 1,
    'maxOutputTokens?': 2717,
    'stopSequences?': [TEXT],
    'responseLogprobs?': true,
    'logprobs?': 7,
    'presencePenalty?': 0.57,
    'frequencyPenalty?': 0.67,
    'seed?': 5711,
    '...?': oneOf(
      { responseMimeType: oneOf('application/json', 'text/plain', 'text/x.enum') },
      { responseMimeType: oneOf('application/json', 'text/x.enum'), responseSchema: OPENAPI_SCHEMA },
      { responseMimeType: 'application/json', responseJsonSchema: JSON_SCHEMA },
    ),
    'responseModalities?': oneOf(inSequence('TEXT'), inSequence('AUDIO')),
    'mediaResolution?': 'MEDIA_RESOLUTION_LOW',
    'speechConfig?': oneOf(
      { voiceConfig: VOICE, 'languageCode?': TEXT },
      { multiSpeakerVoiceConfig: { speakerVoiceConfigs: [{ speaker: TEXT, voiceConfig: VOICE }] } },
    ),
    'imageConfig?': { aspectRatio: TEXT },
    'thinkingConfig?': {
      'includeThoughts?': oneOf(true, false),
      '...?': oneOf({ thinkingBudget: oneOf(0, -1, 2741) }, { thinkingLevel: oneOf('MINIMAL', 'LOW', 'HIGH') }),
      'novel?': TEXT,
    },
    'audioTimestamp?': true,
    'enableEnhancedCivicAnswers?': true,
    'novel?': TEXT,
  },
  'labels?': { a: TEXT },
  'serviceTier?': oneOf('flex', 'standard', 'priority'),
  'store?': true,
  'novelField?': TEXT,
};
