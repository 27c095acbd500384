import { GatewayError, type GenerationRequest } from '@sluice/canonical';
import { expectKinds, type Kinds } from '../../json/expect-kinds.ts';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { createConversation } from './conversation.ts';
import { decodeItem } from './decode-item.ts';
import { decodeReasoning, decodeSettings, decodeText } from './decode-settings.ts';
import { decodeToolChoice, decodeTools, mergeTools } from './decode-tools.ts';
import { asList, asRecord, asText, type Fields, invalid } from '../wire/wire-value.ts';

/** Members that are read, that the gateway itself answers for, or that say nothing about the answer. */
const KNOWN: ReadonlySet<string> = new Set(
  `model input instructions max_output_tokens temperature top_p top_logprobs stream tools tool_choice parallel_tool_calls
  text reasoning metadata service_tier prompt_cache_key prompt_cache_options safety_identifier user prompt
  previous_response_id store background include truncation conversation stream_options
  client_metadata generate stream_id`.split(/\s+/),
);

/** What is what inside of the fields that are not items. */
const REQUEST_KINDS: Kinds = {
  tools: [{ parameters: 'object' }],
  text: { format: 'object', verbosity: 'string' },
  reasoning: { effort: 'string', summary: 'string' },
};

/**
 * Reads a client's request. What concerns kept answers has been resolved before: `input` is whole.
 * @throws GatewayError `invalid_request`; `unsupported_parameter` for a prompt template, which lies at the vendor
 */
export function decodeRequest({ body, model, stream, tokenCodec, report }: DecodeInput): GenerationRequest {
  if (isRecord(body['prompt'])) {
    throw new GatewayError('unsupported_parameter', 'prompt is not supported: prompt templates lie at the vendor.', {
      param: 'prompt',
    });
  }
  expectKinds(body, REQUEST_KINDS, '');
  const conversation = createConversation();
  const tools = decodeTools(asList(body['tools']), 'tools');
  const reasoning: Fields = { ...asRecord(body['reasoning']) };
  const text: Fields = { ...asRecord(body['text']) };

  const instructions = asText(body['instructions']);
  if (instructions !== undefined && instructions !== '') {
    conversation.say('system', [{ type: 'text', text: instructions }]);
  }
  const input = body['input'];
  if (typeof input === 'string') conversation.say('user', [{ type: 'text', text: input }]);
  for (const [index, item] of asList(input).entries()) {
    decodeItem(item, `input[${index}]`, {
      conversation,
      tokenCodec,
      report,
      addTools: (more, param) => tools.push(...decodeTools(more, param)),
      configure: (change) => {
        Object.assign(reasoning, change['reasoning']);
        Object.assign(text, change['text']);
      },
    });
  }
  if (conversation.messages.length === 0) throw invalid('input', 'is required');

  for (const [field, value] of Object.entries(body)) {
    if (!KNOWN.has(field) && hasMeaning(value)) report({ field, how: 'dropped' });
  }
  if (body['truncation'] === 'auto') report({ field: 'truncation', how: 'dropped' });
  const toolChoice = decodeToolChoice(body['tool_choice']);
  return {
    protocol: 'responses',
    model,
    stream,
    messages: conversation.messages,
    tools: mergeTools(tools),
    ...(toolChoice && { toolChoice }),
    ...decodeSettings(body),
    ...decodeText(text),
    ...decodeReasoning(reasoning, (field) => report({ field, how: 'dropped' })),
  };
}

/** Null, empty and `false` are what absent means. */
function hasMeaning(value: unknown): boolean {
  if (value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
