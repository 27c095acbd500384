import { fileIdOfUri, GatewayError, isFileId, type TextProtocolName } from '@sluice/canonical';
import { type TextRequest, unsupportedThread } from '@sluice/protocols';

const MEMBERS: Readonly<Record<TextProtocolName, readonly string[]>> = {
  'chat-completions': [],
  responses: ['conversation', 'prompt'],
  messages: ['container'],
  'generative-content': ['cachedContent', 'cached_content', 'continuationToken'],
};

/**
 * Fields of parts and tools that reference vendor objects, each with its condition (openai-node 7.55, @anthropic-ai/sdk
 * 1.11, @google/genai 3.1). The raw text is searched first, so most requests are not traversed.
 */
const PARTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  file_id: (value) => isPresent(value) && !(typeof value === 'string' && isFileId(value)),
  file_ids: isPresent,
  fileUri: isGoogleFile,
  file_uri: isGoogleFile,
  container_id: isPresent,
  // A string references an existing container. An object creates a new one.
  container: (value) => typeof value === 'string',
  skill_id: isPresent,
  vector_store_ids: isPresent,
  connector_id: isPresent,
  fileSearchStoreNames: isPresent,
  file_search_store_names: isPresent,
  vertexRagStore: isPresent,
  vertex_rag_store: isPresent,
  vertexAiSearch: isPresent,
  vertex_ai_search: isPresent,
  // References the audio of an earlier assistant message (chat completions).
  audio: (value) => typeof value === 'object' && value !== null && 'id' in value && isPresent(value.id),
};

const ANY_PART = new RegExp(`"(?:${Object.keys(PARTS).join('|')})"`);

const CONVERSATION = [
  'messages',
  'input',
  'contents',
  'system',
  'systemInstruction',
  'system_instruction',
  'tools',
] as const;

/** Fields that contain the client's own data. Names inside them are not treated as references. */
const OWN_DATA: ReadonlySet<string> = new Set([
  'arguments',
  'args',
  'input',
  'response',
  'parameters',
  'parametersJsonSchema',
  'parameters_json_schema',
  'responseJsonSchema',
  'response_json_schema',
  'input_schema',
  'input_examples',
  'output_schema',
]);

/**
 * Rejects references to objects that this key did not create. Keys share the vendor's account, so one key could read
 * another key's files, caches, and conversations.
 * @throws GatewayError `unsupported_parameter`, or `thread_unsupported_request` for threads
 */
export function refuseVendorReferences(request: TextRequest): void {
  for (const name of MEMBERS[request.protocol.name]) {
    const value = request.members.has(name) ? request.member(name) : undefined;
    if (value !== undefined && value !== null) throw refusal(name);
  }
  if (request.protocol.name === 'messages' && request.members.has('thread') && isPresent(request.member('thread'))) {
    throw unsupportedThread();
  }
  if (!request.mentionsAny(ANY_PART)) return;
  const body = request.body();
  for (const name of CONVERSATION) refuseWithin(body[name], name);
}

function refuseWithin(conversation: unknown, name: string): void {
  const open: { value: unknown; at: string }[] = [{ value: conversation, at: name }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [key, value] of Object.entries(next.value)) {
      if (OWN_DATA.has(key)) continue;
      const at = `${next.at}[${key}]`;
      if (Object.hasOwn(PARTS, key) && PARTS[key]?.(value)) throw refusal(at);
      open.push({ value, at });
    }
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

/** Whether the URL is a file in Google's file store, which belongs to an account. A file at a public URL does not. */
function isGoogleFile(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    fileIdOfUri(value) === undefined &&
    /^(?:files\/|gs:|https:\/\/generativelanguage\.googleapis\.com\/)/i.test(value)
  );
}

function refusal(param: string): GatewayError {
  return new GatewayError(
    'unsupported_parameter',
    `${param} refers to an object at a vendor. Send the content itself, or ask the operator to set \`vendor_references\` for this key.`,
    { param },
  );
}
