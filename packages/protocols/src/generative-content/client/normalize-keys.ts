import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

/** Known keys of an object; `null` marks a value that stays as it is. */
interface Shape {
  readonly [key: string]: Shape | null;
}

const plain = (keys: string): Shape => Object.fromEntries(keys.split(/\s+/).map((key) => [key, null]));

const BLOB = plain('mimeType data displayName');
const FILE = plain('mimeType fileUri displayName');

const PART: Shape = {
  ...plain('text thought thoughtSignature executableCode codeExecutionResult toolCall toolResponse'),
  ...plain('audioTranscription videoMetadata mediaResolution mediaProcessing partMetadata speechMetadata'),
  inlineData: BLOB,
  fileData: FILE,
  // Arguments and responses are the user's own data.
  functionCall: plain('id name args partialArgs willContinue'),
  functionResponse: {
    ...plain('id name response scheduling willContinue'),
    parts: { inlineData: BLOB, fileData: FILE },
  },
};

const CONTENT: Shape = { role: null, parts: PART };

const TOOL: Shape = {
  functionDeclarations: plain('name description behavior parameters parametersJsonSchema response responseJsonSchema'),
  ...plain('googleSearch googleSearchRetrieval googleMaps codeExecution urlContext computerUse fileSearch mcpServers'),
  ...plain('enterpriseWebSearch retrieval'),
};

const VOICE: Shape = { prebuiltVoiceConfig: plain('voiceName'), replicatedVoiceConfig: null };

const GENERATION_CONFIG: Shape = {
  ...plain('temperature topP topK candidateCount maxOutputTokens stopSequences responseLogprobs logprobs'),
  ...plain('presencePenalty frequencyPenalty seed responseMimeType responseSchema responseJsonSchema'),
  ...plain('responseModalities mediaResolution imageConfig audioTimestamp audioTranscriptionConfig'),
  ...plain('enableEnhancedCivicAnswers'),
  speechConfig: {
    voiceConfig: VOICE,
    languageCode: null,
    multiSpeakerVoiceConfig: { speakerVoiceConfigs: { speaker: null, voiceConfig: VOICE } },
  },
  thinkingConfig: plain('includeThoughts thinkingBudget thinkingLevel'),
};

const REQUEST: Shape = {
  ...plain('model cachedContent labels serviceTier store continuationToken'),
  contents: CONTENT,
  systemInstruction: CONTENT,
  tools: TOOL,
  toolConfig: {
    functionCallingConfig: plain('mode allowedFunctionNames'),
    ...plain('retrievalConfig includeServerSideToolInvocations'),
  },
  safetySettings: plain('category threshold method'),
  generationConfig: GENERATION_CONFIG,
};

/**
 * Returns the request with known keys in camel case, wherever the API also takes `snake_case`, and without nulls, which
 * count as absent. The user's own data (arguments, function responses, schemas) and unknown keys stay as they are.
 */
export function normalizeRequest(body: JsonObject): JsonObject {
  return normalize(body, REQUEST);
}

function normalize(value: JsonObject, shape: Shape): JsonObject {
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    const known = knownKey(key, shape);
    // The camel-case key wins.
    if (known !== undefined && known !== key && value[known] !== undefined && value[known] !== null) continue;
    const inner = known === undefined ? null : shape[known];
    entries.push([known ?? key, inner ? normalizeInner(member, inner) : member]);
  }
  // Not by assignment: a key `__proto__` would set the prototype.
  return Object.fromEntries(entries);
}

function normalizeInner(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (isRecord(item) ? normalize(item, shape) : item));
  return isRecord(value) ? normalize(value, shape) : value;
}

function knownKey(key: string, shape: Shape): string | undefined {
  if (Object.hasOwn(shape, key)) return key;
  if (!key.includes('_')) return undefined;
  const camel = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(shape, camel) ? camel : undefined;
}
