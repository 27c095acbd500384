import { type KnownFields, ownFields, plainFields } from '../../losses/unknown-fields.ts';
import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

const BLOB = plainFields('mimeType data displayName');
const FILE = plainFields('mimeType fileUri displayName');

const PART: Readonly<Record<string, KnownFields>> = {
  ...plainFields('text thought thoughtSignature'),
  // The decoder reports these itself.
  ...plainFields('videoMetadata mediaResolution mediaProcessing partMetadata speechMetadata'),
  inlineData: BLOB,
  fileData: FILE,
  functionCall: plainFields('id name args'),
  functionResponse: { ...plainFields('id name response'), parts: { inlineData: BLOB, fileData: FILE } },
};
const DATA = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'];

/** The fields of a normalized request that {@link decodeRequest} reads. */
export const KNOWN_FIELDS: KnownFields = {
  ...plainFields('model serviceTier cachedContent continuationToken'),
  // The decoder reports unknown settings.
  generationConfig: (config: JsonObject) => ({
    ...ownFields(config),
    thinkingConfig: plainFields('includeThoughts thinkingBudget thinkingLevel'),
  }),
  contents: {
    role: null,
    // The decoder drops parts of other types by type.
    parts: (part: JsonObject) => (DATA.some((key) => part[key] !== undefined) ? PART : null),
  },
  // The decoder reports other parts of the instruction.
  systemInstruction: {
    ...plainFields('role text'),
    parts: ({ text }: JsonObject) => (text === undefined ? null : plainFields('text thought')),
  },
  tools: (tool: JsonObject) => ({
    // Each object is a tool of the vendor.
    ...ownFields(Object.fromEntries(Object.entries(tool).filter(([, value]) => isRecord(value)))),
    mcpServers: null,
    // The decoder reports the last three itself.
    functionDeclarations: plainFields(
      'name description parameters parametersJsonSchema behavior response responseJsonSchema',
    ),
  }),
  toolConfig: { functionCallingConfig: plainFields('mode allowedFunctionNames') },
  safetySettings: plainFields('category threshold'),
};
