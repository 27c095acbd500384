import { GatewayError, type GenerationRequest } from '@sluice/canonical';
import { expectKinds, type Kinds } from '../../json/expect-kinds.ts';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { createConversation } from './conversation.ts';
import { decodeItem } from './decode-item.ts';
import { decodeReasoning, decodeSettings, decodeText } from './decode-settings.ts';
import { decodeToolChoice, decodeTools, mergeTools } from './decode-tools.ts';
import { JsonField } from '../../json/json-field.ts';
import { asNonEmptyString, asObject, type JsonObject } from '../../json/values.ts';

/** Members that are decoded, that the gateway itself handles, or that do not affect the response. */
const KNOWN: ReadonlySet<string> = new Set(
  `model input instructions max_output_tokens temperature top_p top_logprobs stream tools tool_choice parallel_tool_calls
  text reasoning metadata service_tier prompt_cache_key prompt_cache_options safety_identifier user prompt
  previous_response_id store background include truncation conversation stream_options
  client_metadata generate stream_id`.split(/\s+/),
);

const REQUEST_KINDS: Kinds = {
  tools: [{ parameters: 'object' }],
  text: { format: 'object', verbosity: 'string' },
  reasoning: { effort: 'string', summary: 'string' },
};

/**
 * Decodes a client's request. Stored responses have been resolved before: `input` is complete.
 * @throws GatewayError `invalid_request`; `unsupported_parameter` for a prompt template, which only the vendor stores
 */
export function decodeRequest({ body, model, stream, tokenCodec, report }: DecodeInput): GenerationRequest {
  if (isRecord(body['prompt'])) {
    throw new GatewayError(
      'unsupported_parameter',
      'prompt is not supported: prompt templates are stored at the vendor. Send `instructions` and `input`.',
      { param: 'prompt' },
    );
  }
  expectKinds(body, REQUEST_KINDS, '');
  const conversation = createConversation();
  const tools = decodeTools(new JsonField(body['tools'], 'tools'));
  const reasoning: JsonObject = { ...asObject(body['reasoning']) };
  const text: JsonObject = { ...asObject(body['text']) };

  const instructions = asNonEmptyString(body['instructions']);
  if (instructions !== undefined) conversation.addMessage('system', [{ type: 'text', text: instructions }]);
  const input = new JsonField(body['input'], 'input');
  if (input.string !== undefined) conversation.addMessage('user', [{ type: 'text', text: input.string }]);
  for (const item of Array.isArray(input.value) ? input.items() : []) {
    decodeItem(item, {
      conversation,
      tokenCodec,
      report,
      addTools: (more) => tools.push(...decodeTools(more)),
      configure: (change) => {
        Object.assign(reasoning, change['reasoning']);
        Object.assign(text, change['text']);
      },
    });
  }
  if (conversation.messages.length === 0) throw input.invalid('is required');

  for (const [field, value] of Object.entries(body)) {
    if (!KNOWN.has(field) && hasMeaning(value)) report({ field, how: 'dropped' });
  }
  if (body['truncation'] === 'auto') report({ field: 'truncation', how: 'dropped' });
  return {
    protocol: 'responses',
    model,
    stream,
    messages: conversation.messages,
    tools: mergeTools(tools),
    toolChoice: decodeToolChoice(body['tool_choice']),
    ...decodeSettings(body),
    ...decodeText(new JsonField(text, 'text')),
    ...decodeReasoning(reasoning, (field) => report({ field, how: 'dropped' })),
  };
}

/** Null, empty values, and `false` mean the same as a member that is left out. */
function hasMeaning(value: unknown): boolean {
  if (value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
