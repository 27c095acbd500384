import { type KnownFields, ownFields, plainFields } from '../../losses/unknown-fields.ts';
import { type JsonObject, ownMember } from '../../json/values.ts';
import { CreateChatCompletionSchema } from '../wire/schema.ts';
import { REASONING_FIELDS } from './decode-reasoning-params.ts';

const MARKS: KnownFields = {
  prompt_cache_breakpoint: plainFields('mode ttl'),
  cache_control: plainFields('type ttl'),
};

const PARTS: Readonly<Record<string, KnownFields>> = {
  text: { ...plainFields('type text'), ...MARKS },
  refusal: plainFields('type refusal'),
  image_url: { type: null, image_url: plainFields('url detail'), ...MARKS },
  input_audio: { type: null, input_audio: plainFields('data format'), ...MARKS },
  file: { type: null, file: plainFields('file_data file_id filename'), ...MARKS },
  video_url: { type: null, video_url: plainFields('url'), ...MARKS },
  thinking: plainFields('type thinking'),
};

const EXTRA: KnownFields = { google: plainFields('thought_signature') };

const CALL: KnownFields = {
  ...plainFields('id type index'),
  function: plainFields('name arguments'),
  custom: plainFields('name input'),
  extra_content: EXTRA,
};

const MESSAGE: KnownFields = {
  ...plainFields('role name refusal audio reasoning_content reasoning tool_call_id'),
  images: { ...plainFields('type index'), image_url: plainFields('url') },
  // The decoder drops unknown parts by type.
  content: ({ type }: JsonObject) => ownMember(PARTS, type) ?? null,
  tool_calls: CALL,
  function_call: plainFields('name arguments'),
  reasoning_details: plainFields('type text summary data signature id index format'),
  thinking_blocks: plainFields('type thinking signature data'),
  extra_content: EXTRA,
};

const FUNCTION = plainFields('name description parameters strict');

const GRAMMAR = plainFields('syntax definition');

const CUSTOM_TOOL: KnownFields = {
  type: null,
  custom: { ...plainFields('name description'), format: { type: null, ...GRAMMAR, grammar: GRAMMAR } },
};

const TOOL = ({ type }: JsonObject): KnownFields => {
  if (type === undefined || type === null || type === 'function') {
    return { type: null, function: FUNCTION, cache_control: plainFields('type ttl') };
  }
  return type === 'custom' ? CUSTOM_TOOL : null;
};

const CHOSEN: KnownFields = { type: null, function: plainFields('name'), custom: plainFields('name') };

/**
 * The fields of a request that {@link decodeRequest} reads. `store` and `stream_options` concern only the gateway.
 */
export const KNOWN_FIELDS: KnownFields = {
  ...plainFields(Object.keys(CreateChatCompletionSchema.shape).join(' ')),
  ...plainFields(REASONING_FIELDS.join(' ')),
  ...plainFields('top_k store'),
  messages: MESSAGE,
  tools: TOOL,
  functions: FUNCTION,
  tool_choice: { ...CHOSEN, allowed_tools: { mode: null, tools: CHOSEN } },
  function_call: plainFields('name'),
  response_format: { type: null, json_schema: plainFields('name description schema strict') },
  audio: plainFields('format voice'),
  reasoning: plainFields('effort max_tokens enabled exclude'),
  thinking: plainFields('type budget_tokens'),
  extra_body: (body: JsonObject) => ({
    ...ownFields(body),
    google: (google: JsonObject) => ({
      ...ownFields(google),
      thinking_config: plainFields('thinking_level thinking_budget include_thoughts'),
    }),
  }),
  prompt_cache_options: plainFields('mode ttl'),
  cache_control: plainFields('type ttl'),
};
