import { type KnownFields, plainFields } from '../../losses/unknown-fields.ts';
import { type JsonObject, ownMember } from '../../json/values.ts';
import { hasTokenPrefix } from '../../text/token-codec.ts';

const CACHE: KnownFields = { cache_control: plainFields('type ttl') };
const SOURCE = plainFields('type media_type data url file_id');
const IMAGE: KnownFields = { type: null, source: SOURCE, ...CACHE };
// The decoder reports enabled citations.
const CITATIONS = plainFields('enabled');

const CITATION = plainFields('type url source title document_title');

const TOOL = ({ type }: JsonObject): KnownFields => {
  const isCustom = type === undefined || type === null || type === 'custom';
  return isCustom ? { ...plainFields('type name description input_schema strict'), ...CACHE } : null;
};

const CHUNKS = ({ type }: JsonObject): KnownFields => (type === 'image' ? IMAGE : plainFields('type text'));

const BLOCKS: Readonly<Record<string, KnownFields>> = {
  text: {
    ...plainFields('type text'),
    ...CACHE,
    // The gateway marks the citations that it translated.
    citations: ({ encrypted_index: index }: JsonObject) => (hasTokenPrefix(index) ? null : CITATION),
  },
  image: IMAGE,
  document: {
    ...plainFields('type title context'),
    ...CACHE,
    citations: CITATIONS,
    source: { ...SOURCE, content: CHUNKS },
  },
  search_result: {
    ...plainFields('type source title'),
    ...CACHE,
    citations: CITATIONS,
    content: plainFields('type text'),
  },
  thinking: plainFields('type thinking signature'),
  redacted_thinking: plainFields('type data'),
  tool_use: {
    ...plainFields('type id name input'),
    ...CACHE,
    // Clients return the caller of each call. `direct` means the model itself.
    caller: ({ type }: JsonObject) => (type === 'direct' ? null : undefined),
  },
  tool_result: {
    ...plainFields('type tool_use_id is_error'),
    ...CACHE,
    content: (block: JsonObject) => BLOCK(block),
  },
  tool_reference: plainFields('type tool_name'),
  compaction: plainFields('type content'),
  tool_addition: { type: null, tool: TOOL, ...CACHE },
};

// The decoder drops unknown blocks by type.
function BLOCK({ type }: JsonObject): KnownFields {
  return ownMember(BLOCKS, type) ?? null;
}

const FORMAT = plainFields('type schema name');

/** The fields of a request that {@link decodeRequest} reads. It handles `thread`, `metadata`, and `task_budget` itself. */
export const KNOWN_FIELDS: KnownFields = {
  ...plainFields(`model max_tokens temperature top_p top_k stream stop_sequences metadata service_tier mcp_servers
    container thread`),
  messages: { role: null, content: BLOCK, output_config: plainFields('effort') },
  system: BLOCK,
  tools: TOOL,
  tool_choice: plainFields('type name disable_parallel_tool_use'),
  thinking: plainFields('type budget_tokens display'),
  output_config: { ...plainFields('effort task_budget'), format: FORMAT },
  output_format: FORMAT,
  ...CACHE,
};
