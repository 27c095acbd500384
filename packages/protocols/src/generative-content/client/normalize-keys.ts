import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

/** Known keys of an object; `null` marks a value that stays as it is. */
interface Shape {
  readonly [key: string]: Shape | null;
}

const BLOB: Shape = { mimeType: null, data: null, displayName: null };
const FILE: Shape = { mimeType: null, fileUri: null, displayName: null };

const PART: Shape = {
  text: null,
  thought: null,
  thoughtSignature: null,
  inlineData: BLOB,
  fileData: FILE,
  // Arguments and responses are the user's own data.
  functionCall: { id: null, name: null, args: null, partialArgs: null, willContinue: null },
  functionResponse: {
    id: null,
    name: null,
    response: null,
    parts: { inlineData: BLOB, fileData: FILE },
    scheduling: null,
    willContinue: null,
  },
  executableCode: null,
  codeExecutionResult: null,
  toolCall: null,
  toolResponse: null,
  audioTranscription: null,
  videoMetadata: null,
  mediaResolution: null,
  mediaProcessing: null,
  partMetadata: null,
  speechMetadata: null,
};

const CONTENT: Shape = { role: null, parts: PART };

const TOOL: Shape = {
  functionDeclarations: {
    name: null,
    description: null,
    behavior: null,
    parameters: null,
    parametersJsonSchema: null,
    response: null,
    responseJsonSchema: null,
  },
  googleSearch: null,
  googleSearchRetrieval: null,
  googleMaps: null,
  codeExecution: null,
  urlContext: null,
  computerUse: null,
  fileSearch: null,
  mcpServers: null,
  enterpriseWebSearch: null,
  retrieval: null,
};

const VOICE: Shape = { prebuiltVoiceConfig: { voiceName: null }, replicatedVoiceConfig: null };

const GENERATION_CONFIG: Shape = {
  temperature: null,
  topP: null,
  topK: null,
  candidateCount: null,
  maxOutputTokens: null,
  stopSequences: null,
  responseLogprobs: null,
  logprobs: null,
  presencePenalty: null,
  frequencyPenalty: null,
  seed: null,
  responseMimeType: null,
  responseSchema: null,
  responseJsonSchema: null,
  responseModalities: null,
  mediaResolution: null,
  speechConfig: {
    voiceConfig: VOICE,
    languageCode: null,
    multiSpeakerVoiceConfig: { speakerVoiceConfigs: { speaker: null, voiceConfig: VOICE } },
  },
  imageConfig: null,
  thinkingConfig: { includeThoughts: null, thinkingBudget: null, thinkingLevel: null },
  audioTimestamp: null,
  audioTranscriptionConfig: null,
  enableEnhancedCivicAnswers: null,
};

const REQUEST: Shape = {
  model: null,
  contents: CONTENT,
  systemInstruction: CONTENT,
  tools: TOOL,
  toolConfig: {
    functionCallingConfig: { mode: null, allowedFunctionNames: null },
    retrievalConfig: null,
    includeServerSideToolInvocations: null,
  },
  safetySettings: { category: null, threshold: null, method: null },
  generationConfig: GENERATION_CONFIG,
  cachedContent: null,
  labels: null,
  serviceTier: null,
  store: null,
  continuationToken: null,
};

/**
 * Returns the request with known keys in camel case, wherever the API also takes `snake_case`, and without nulls, which
 * count as absent. The user's own data (arguments, function responses, schemas) and unknown keys stay.
 */
export function normaliseRequest(body: JsonObject): JsonObject {
  return normalise(body, REQUEST);
}

function normalise(value: JsonObject, shape: Shape): JsonObject {
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    const known = knownKey(key, shape);
    // The camel-case key wins.
    if (known !== undefined && known !== key && value[known] !== undefined && value[known] !== null) continue;
    const inner = known === undefined ? null : shape[known];
    entries.push([known ?? key, inner ? inside(member, inner) : member]);
  }
  // Not by assignment: a key `__proto__` would set the prototype.
  return Object.fromEntries(entries);
}

function inside(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (isRecord(item) ? normalise(item, shape) : item));
  return isRecord(value) ? normalise(value, shape) : value;
}

function knownKey(key: string, shape: Shape): string | undefined {
  if (Object.hasOwn(shape, key)) return key;
  if (!key.includes('_')) return undefined;
  const camel = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(shape, camel) ? camel : undefined;
}
