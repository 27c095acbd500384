import { GatewayError, type GenerationRequest } from '@sluice/canonical';
import { expectKinds, type Kinds } from '../../json/expect-kinds.ts';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { createConversation } from './conversation.ts';
import { decodeItem } from './decode-item.ts';
import { decodeReasoning, decodeSettings, decodeText } from './decode-settings.ts';
import { decodeToolChoice, decodeTools, mergeTools } from './decode-tools.ts';
import { JsonField } from '../../json/json-field.ts';
import { reportUnknownFields } from '../../losses/unknown-fields.ts';
import { KNOWN_FIELDS } from './known-fields.ts';
import { asNonEmptyString, asObject, type JsonObject } from '../../json/values.ts';

const REQUEST_KINDS: Kinds = {
  tools: [{ parameters: 'object' }],
  text: { format: 'object', verbosity: 'string' },
  reasoning: { effort: 'string', summary: 'string' },
};

/**
 * Decodes a client's request. Stored responses are already resolved, so `input` is complete.
 * @throws GatewayError `invalid_request`, or `unsupported_parameter` for a prompt template, which only the vendor
 * stores
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
  const drop = (field: string) => report({ field, how: 'dropped' });
  const conversation = createConversation();
  const tools = decodeTools(new JsonField(body['tools'], 'tools'), report);
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
      addTools: (more) => tools.push(...decodeTools(more, report)),
      configure: (change) => {
        Object.assign(reasoning, change['reasoning']);
        Object.assign(text, change['text']);
      },
    });
  }
  if (conversation.messages.length === 0) throw input.invalid('is required');

  reportUnknownFields(body, KNOWN_FIELDS, report);
  if (body['truncation'] === 'auto') report({ field: 'truncation', how: 'dropped' });
  return {
    protocol: 'responses',
    model,
    stream,
    messages: conversation.messages,
    tools: mergeTools(tools),
    toolChoice: decodeToolChoice(body['tool_choice']),
    ...decodeSettings(body, drop),
    ...decodeText(new JsonField(text, 'text')),
    ...decodeReasoning(reasoning, drop),
  };
}
