import { type KnownFields, plainFields } from '../../losses/unknown-fields.ts';
import { asString, type JsonObject, ownMember } from '../../json/values.ts';

const MARK: KnownFields = { prompt_cache_breakpoint: plainFields('mode ttl') };

const TEXT: KnownFields = {
  ...plainFields('type text'),
  ...MARK,
  annotations: ({ type }: JsonObject) =>
    type === 'url_citation' ? plainFields('type url title start_index end_index') : undefined,
};

const PARTS: Readonly<Record<string, KnownFields>> = {
  input_text: TEXT,
  output_text: TEXT,
  text: TEXT,
  refusal: plainFields('type refusal'),
  input_image: { ...plainFields('type file_id detail'), image_url: plainFields('url'), ...MARK },
  input_file: { ...plainFields('type file_data file_url file_id filename'), ...MARK },
  input_audio: { type: null, input_audio: plainFields('data format'), ...MARK },
};

// The decoder drops unknown parts by type.
const CONTENT = ({ type }: JsonObject): KnownFields => ownMember(PARTS, type) ?? null;

const TOOL = ({ type }: JsonObject): KnownFields => {
  switch (type) {
    case 'function':
      return plainFields('type name description parameters strict');
    case 'custom':
      return { ...plainFields('type name description'), format: plainFields('type syntax definition') };
    case 'namespace':
      return { ...plainFields('type name description'), tools: TOOL };
    default:
      return null;
  }
};

/** Codex adds the passthrough field, which concerns only itself. Ids and states of items are not sent upstream. */
const ITEM: Readonly<Record<string, null>> = plainFields('type id status internal_chat_message_metadata_passthrough');

const REASONING: KnownFields = plainFields('effort summary generate_summary');
const FORMAT: KnownFields = { verbosity: null, format: plainFields('type name schema description strict') };

const ITEMS: Readonly<Record<string, KnownFields>> = {
  message: { ...ITEM, role: null, content: CONTENT },
  function_call: { ...ITEM, ...plainFields('call_id name namespace arguments') },
  custom_tool_call: { ...ITEM, ...plainFields('call_id name namespace input') },
  function_call_output: { ...ITEM, ...plainFields('call_id name namespace'), output: CONTENT },
  custom_tool_call_output: { ...ITEM, ...plainFields('call_id name namespace'), output: CONTENT },
  reasoning: {
    ...ITEM,
    ...plainFields('encrypted_content'),
    summary: plainFields('type text'),
    content: plainFields('type text'),
  },
  additional_tools: { ...ITEM, role: null, tools: TOOL },
  tool_search_output: { ...ITEM, ...plainFields('call_id execution'), tools: TOOL },
  configuration_update: { ...ITEM, reasoning: REASONING, text: FORMAT },
};

const CHOSEN: Readonly<Record<string, null>> = plainFields('type name namespace');

/**
 * The fields of a request that {@link decodeRequest} reads, that the gateway handles itself, or that do not affect the
 * response.
 */
export const KNOWN_FIELDS: KnownFields = {
  ...plainFields(`model instructions max_output_tokens temperature top_p top_logprobs stream parallel_tool_calls
    metadata service_tier prompt_cache_key safety_identifier user prompt previous_response_id store background include
    truncation conversation stream_options client_metadata generate stream_id`),
  // The decoder drops unknown items by type.
  input: (item: JsonObject) => ownMember(ITEMS, asString(item['type']) ?? ('role' in item ? 'message' : '')) ?? null,
  tools: TOOL,
  tool_choice: { ...CHOSEN, mode: null, tools: CHOSEN },
  text: FORMAT,
  reasoning: REASONING,
  prompt_cache_options: plainFields('mode ttl'),
};
