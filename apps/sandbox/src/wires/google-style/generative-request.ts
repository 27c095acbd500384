import type { ProtoMessage, ProtoType } from './proto-message.ts';

const list = (type: ProtoType): ProtoType => ({ list: type });
const message = (of: () => ProtoMessage): ProtoType => ({ message: of });
const words = (name: string, ...known: string[]): ProtoType => ({ words: known, name });

/** The vendor's subset of OpenAPI 3.0: neither `$schema` nor `additionalProperties`. */
const Schema: ProtoMessage = {
  type: words('Type', 'TYPE_UNSPECIFIED', 'STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'),
  format: 'string',
  title: 'string',
  description: 'string',
  nullable: 'bool',
  enum: list('string'),
  maxItems: 'int',
  minItems: 'int',
  properties: { map: () => Schema },
  required: list('string'),
  minProperties: 'int',
  maxProperties: 'int',
  minLength: 'int',
  maxLength: 'int',
  pattern: 'string',
  example: 'any',
  anyOf: list(message(() => Schema)),
  propertyOrdering: list('string'),
  default: 'any',
  items: message(() => Schema),
  minimum: 'float',
  maximum: 'float',
};

const Blob: ProtoMessage = { mimeType: 'string', data: 'bytes', displayName: 'string' };
const FileData: ProtoMessage = { mimeType: 'string', fileUri: 'string', displayName: 'string' };

const Part: ProtoMessage = {
  text: 'string',
  thought: 'bool',
  thoughtSignature: 'bytes',
  inlineData: message(() => Blob),
  fileData: message(() => FileData),
  functionCall: message(() => ({ id: 'string', name: 'string', args: 'struct' })),
  functionResponse: message(() => ({
    id: 'string',
    name: 'string',
    response: 'struct',
    willContinue: 'bool',
    scheduling: 'string',
    parts: list(message(() => ({ inlineData: message(() => Blob), fileData: message(() => FileData) }))),
  })),
  executableCode: 'struct',
  codeExecutionResult: 'struct',
  toolCall: 'struct',
  toolResponse: 'struct',
  videoMetadata: 'struct',
  mediaResolution: 'any',
  partMetadata: 'struct',
};

export const Content: ProtoMessage = { role: 'string', parts: list(message(() => Part)) };

const FunctionDeclaration: ProtoMessage = {
  name: 'string',
  description: 'string',
  behavior: 'string',
  parameters: message(() => Schema),
  parametersJsonSchema: 'any',
  response: message(() => Schema),
  responseJsonSchema: 'any',
};

const Tool: ProtoMessage = {
  functionDeclarations: list(message(() => FunctionDeclaration)),
  googleSearch: 'struct',
  googleSearchRetrieval: 'struct',
  codeExecution: 'struct',
  urlContext: 'struct',
  computerUse: 'struct',
  fileSearch: 'struct',
  googleMaps: 'struct',
  mcpServers: 'any',
};

const VoiceConfig: ProtoMessage = {
  prebuiltVoiceConfig: message(() => ({ voiceName: 'string' })),
  replicatedVoiceConfig: 'struct',
};

const SpeechConfig: ProtoMessage = {
  voiceConfig: message(() => VoiceConfig),
  languageCode: 'string',
  multiSpeakerVoiceConfig: message(() => ({
    speakerVoiceConfigs: list(message(() => ({ speaker: 'string', voiceConfig: message(() => VoiceConfig) }))),
  })),
};

const GenerationConfig: ProtoMessage = {
  temperature: 'float',
  topP: 'float',
  topK: 'float',
  candidateCount: 'int',
  maxOutputTokens: 'int',
  stopSequences: list('string'),
  responseLogprobs: 'bool',
  logprobs: 'int',
  presencePenalty: 'float',
  frequencyPenalty: 'float',
  seed: 'int',
  responseMimeType: 'string',
  responseSchema: message(() => Schema),
  responseJsonSchema: 'any',
  responseModalities: list(
    words('GenerationConfig.Modality', 'MODALITY_UNSPECIFIED', 'TEXT', 'IMAGE', 'AUDIO', 'VIDEO'),
  ),
  mediaResolution: 'string',
  speechConfig: message(() => SpeechConfig),
  imageConfig: message(() => ({ aspectRatio: 'string', imageSize: 'string' })),
  thinkingConfig: message(() => ({
    includeThoughts: 'bool',
    thinkingBudget: 'int',
    thinkingLevel: words(
      'ThinkingConfig.ThinkingLevel',
      'THINKING_LEVEL_UNSPECIFIED',
      'MINIMAL',
      'LOW',
      'MEDIUM',
      'HIGH',
    ),
  })),
  audioTimestamp: 'bool',
  enableEnhancedCivicAnswers: 'bool',
};

const SafetySetting: ProtoMessage = {
  category: words(
    'HarmCategory',
    'HARM_CATEGORY_HARASSMENT',
    'HARM_CATEGORY_HATE_SPEECH',
    'HARM_CATEGORY_SEXUALLY_EXPLICIT',
    'HARM_CATEGORY_DANGEROUS_CONTENT',
    'HARM_CATEGORY_CIVIC_INTEGRITY',
  ),
  threshold: words(
    'SafetySetting.HarmBlockThreshold',
    'HARM_BLOCK_THRESHOLD_UNSPECIFIED',
    'OFF',
    'BLOCK_NONE',
    'BLOCK_ONLY_HIGH',
    'BLOCK_MEDIUM_AND_ABOVE',
    'BLOCK_LOW_AND_ABOVE',
  ),
};

export const GenerateRequest: ProtoMessage = {
  model: 'string',
  contents: list(message(() => Content)),
  systemInstruction: message(() => Content),
  tools: list(message(() => Tool)),
  toolConfig: message(() => ({
    functionCallingConfig: message(() => ({
      mode: words('FunctionCallingConfig.Mode', 'MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'),
      allowedFunctionNames: list('string'),
    })),
    retrievalConfig: 'struct',
    includeServerSideToolInvocations: 'bool',
  })),
  safetySettings: list(message(() => SafetySetting)),
  generationConfig: message(() => GenerationConfig),
  cachedContent: 'string',
  labels: 'struct',
  serviceTier: 'string',
  store: 'bool',
  continuationToken: 'string',
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
