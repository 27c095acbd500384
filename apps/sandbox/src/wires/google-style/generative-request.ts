import type { ProtoMessage, ProtoType } from './proto-message.ts';

const list = (type: ProtoType): ProtoType => ({ list: type });
const message = (of: () => ProtoMessage): ProtoType => ({ message: of });
const oneOf = (name: string, ...values: string[]): ProtoType => ({ values, name });

function fields(type: ProtoType, names: string): ProtoMessage {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]));
}

/** The vendor supports a subset of OpenAPI 3.0, without `$schema` and `additionalProperties`. */
const Schema: ProtoMessage = {
  type: oneOf('Type', 'TYPE_UNSPECIFIED', 'STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'),
  ...fields('string', 'format title description pattern'),
  nullable: 'bool',
  ...fields(list('string'), 'enum required propertyOrdering'),
  ...fields('int', 'minItems maxItems minProperties maxProperties minLength maxLength'),
  ...fields('float', 'minimum maximum'),
  ...fields('any', 'example default'),
  properties: { map: () => Schema },
  anyOf: list(message(() => Schema)),
  items: message(() => Schema),
};

const Blob: ProtoMessage = { mimeType: 'string', data: 'bytes', displayName: 'string' };
const FileData: ProtoMessage = fields('string', 'mimeType fileUri displayName');
const media = { inlineData: message(() => Blob), fileData: message(() => FileData) };

const Part: ProtoMessage = {
  text: 'string',
  thought: 'bool',
  thoughtSignature: 'bytes',
  ...media,
  functionCall: message(() => ({ ...fields('string', 'id name'), args: 'struct' })),
  functionResponse: message(() => ({
    ...fields('string', 'id name scheduling'),
    response: 'struct',
    willContinue: 'bool',
    parts: list(message(() => ({ ...media, mediaProcessing: 'any' }))),
  })),
  ...fields('struct', 'executableCode codeExecutionResult toolCall toolResponse videoMetadata partMetadata'),
  ...fields('any', 'mediaResolution mediaProcessing audioTranscription speechMetadata'),
};

export const Content: ProtoMessage = { role: 'string', parts: list(message(() => Part)) };

const FunctionDeclaration: ProtoMessage = {
  ...fields('string', 'name description behavior'),
  ...fields(
    message(() => Schema),
    'parameters response',
  ),
  ...fields('any', 'parametersJsonSchema responseJsonSchema'),
};

const Tool: ProtoMessage = {
  functionDeclarations: list(message(() => FunctionDeclaration)),
  ...fields('struct', 'googleSearch googleSearchRetrieval codeExecution urlContext computerUse fileSearch googleMaps'),
  mcpServers: 'any',
};

const VoiceConfig: ProtoMessage = {
  prebuiltVoiceConfig: message(() => ({ voiceName: 'string' })),
  replicatedVoiceConfig: 'struct',
  voice: 'string',
};

const SpeechConfig: ProtoMessage = {
  voiceConfig: message(() => VoiceConfig),
  languageCode: 'string',
  multiSpeakerVoiceConfig: message(() => ({
    speakerVoiceConfigs: list(message(() => ({ speaker: 'string', voiceConfig: message(() => VoiceConfig) }))),
  })),
};

const THINKING_LEVELS = ['THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'];

const GenerationConfig: ProtoMessage = {
  ...fields('float', 'temperature topP topK presencePenalty frequencyPenalty'),
  ...fields('int', 'candidateCount maxOutputTokens logprobs seed'),
  ...fields('bool', 'responseLogprobs audioTimestamp enableEnhancedCivicAnswers'),
  ...fields('string', 'responseMimeType mediaResolution'),
  stopSequences: list('string'),
  responseSchema: message(() => Schema),
  ...fields('any', 'responseJsonSchema audioTranscriptionConfig'),
  responseModalities: list(
    oneOf('GenerationConfig.Modality', 'MODALITY_UNSPECIFIED', 'TEXT', 'IMAGE', 'AUDIO', 'VIDEO'),
  ),
  speechConfig: message(() => SpeechConfig),
  imageConfig: message(() => fields('string', 'aspectRatio imageSize')),
  thinkingConfig: message(() => ({
    includeThoughts: 'bool',
    thinkingBudget: 'int',
    thinkingLevel: oneOf('ThinkingConfig.ThinkingLevel', ...THINKING_LEVELS),
  })),
};

const CATEGORIES = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'];
const BLOCKING = ['BLOCK_NONE', 'BLOCK_ONLY_HIGH', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_LOW_AND_ABOVE'];

const SafetySetting: ProtoMessage = {
  category: oneOf('HarmCategory', ...CATEGORIES.map((category) => `HARM_CATEGORY_${category}`)),
  threshold: oneOf('SafetySetting.HarmBlockThreshold', 'HARM_BLOCK_THRESHOLD_UNSPECIFIED', 'OFF', ...BLOCKING),
};

export const GenerateRequest: ProtoMessage = {
  contents: list(message(() => Content)),
  systemInstruction: message(() => Content),
  tools: list(message(() => Tool)),
  toolConfig: message(() => ({
    functionCallingConfig: message(() => ({
      mode: oneOf('FunctionCallingConfig.Mode', 'MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'),
      allowedFunctionNames: list('string'),
    })),
    retrievalConfig: 'struct',
    includeServerSideToolInvocations: 'bool',
  })),
  safetySettings: list(message(() => SafetySetting)),
  generationConfig: message(() => GenerationConfig),
  ...fields('string', 'model cachedContent serviceTier continuationToken'),
  labels: 'struct',
  store: 'bool',
};

export const CountRequest: ProtoMessage = {
  model: 'string',
  contents: list(message(() => Content)),
  generateContentRequest: message(() => GenerateRequest),
};

export interface GenerativeSchema {
  type?: string;
  properties?: Record<string, GenerativeSchema>;
  required?: string[];
  items?: GenerativeSchema;
  anyOf?: GenerativeSchema[];
}

export interface GenerativePart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  inlineData?: { mimeType?: string; data?: string };
  fileData?: { mimeType?: string; fileUri?: string };
  functionCall?: { id?: string; name?: string; args?: object };
  functionResponse?: {
    id?: string;
    name?: string;
    response?: Record<string, unknown>;
    parts?: Pick<GenerativePart, 'inlineData' | 'fileData'>[];
  };
}

export interface GenerativeContent {
  role?: string;
  parts?: GenerativePart[];
}

interface GenerativeVoice {
  prebuiltVoiceConfig?: { voiceName?: string };
}

/** The fields of {@link GenerateRequest} that the sandbox uses. */
export interface GenerativeRequest {
  contents?: GenerativeContent[];
  systemInstruction?: GenerativeContent;
  tools?: {
    functionDeclarations?: {
      name?: string;
      parameters?: GenerativeSchema;
      parametersJsonSchema?: unknown;
      description?: string;
    }[];
  }[];
  toolConfig?: { functionCallingConfig?: { mode?: string; allowedFunctionNames?: string[] } };
  generationConfig?: {
    temperature?: number;
    topP?: number;
    candidateCount?: number;
    maxOutputTokens?: number;
    stopSequences?: string[];
    seed?: number;
    responseModalities?: string[];
    speechConfig?: {
      voiceConfig?: GenerativeVoice;
      multiSpeakerVoiceConfig?: { speakerVoiceConfigs?: { speaker?: string; voiceConfig?: GenerativeVoice }[] };
    };
    imageConfig?: { aspectRatio?: string; imageSize?: string };
    responseMimeType?: string;
    responseSchema?: GenerativeSchema;
    responseJsonSchema?: unknown;
    thinkingConfig?: { includeThoughts?: boolean; thinkingBudget?: number; thinkingLevel?: string };
  };
}
