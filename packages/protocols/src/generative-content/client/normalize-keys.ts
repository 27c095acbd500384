import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

/** Maps an object's known keys. `null` marks a value that is not normalized. */
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
  // Arguments and responses are the user's own data, so their keys are kept.
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
 * Converts known keys to camel case wherever the API also accepts snake case, and removes nulls, which are treated as
 * omitted. Unknown keys and the user's own data (arguments, function responses, and schemas) are not changed.
 */
export function normalizeRequest(body: JsonObject): JsonObject {
  return normalize(body, REQUEST);
}

function normalize(value: JsonObject, shape: Shape): JsonObject {
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    const known = knownKey(key, shape);
    // If both keys are present, the camel-case key wins.
    if (known !== undefined && known !== key && value[known] !== undefined && value[known] !== null) continue;
    const inner = known === undefined ? null : shape[known];
    entries.push([known ?? key, inner ? normalizeInner(member, inner) : member]);
  }
  // Avoids assignment, because a `__proto__` key would set the prototype.
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
