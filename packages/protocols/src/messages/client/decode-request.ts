import { EFFORTS, type GenerationRequest, type Message, type Reasoning, type TextFormat } from '@sluice/canonical';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeCache } from '../../anthropic-style/cache-control.ts';
import { placeTokens } from './wrapped-token.ts';
import { type BlockContext, decodeContent } from './decode-block.ts';
import { decodeTools, decodeToolChoice, refuseVendorState } from './decode-tools.ts';
import { DEFAULT_FORMAT_NAME } from '../../losses/described-schema.ts';
import { invalidField } from '../../json/json-field.ts';
import { reportUnknownFields } from '../../losses/unknown-fields.ts';
import { KNOWN_FIELDS } from './known-fields.ts';
import { asArray, asNonEmptyObject, asNumber, asString, type JsonObject, objectOrEmpty } from '../../json/values.ts';

/**
 * Prefix of Claude Code's first system block. It contains billing data for Anthropic, which other models do not need.
 */
const BILLING = 'x-anthropic-billing-header:';

/**
 * Decodes the body of `POST /v1/messages`.
 * @throws GatewayError `invalid_request` with the field's path, or `unsupported_parameter` for MCP servers and skills
 */
export function decodeRequest({ body, model, stream, tokenCodec, report }: DecodeInput): GenerationRequest {
  refuseVendorState(body, report);
  const { speed, ...fields } = body;
  reportUnknownFields(speed === 'standard' ? fields : body, KNOWN_FIELDS, report);
  const turns = decodeTurns(body['messages']);
  const context: BlockContext = { tokenCodec, report };
  const tools = decodeTools(body['tools'], turns);
  const auto = decodeCache(body['cache_control']);
  return {
    protocol: 'messages',
    model,
    stream,
    messages: [
      ...decodeSystem(body['system'], context),
      ...placeTokens(turns.flatMap((turn, index) => decodeTurn(turn, `messages[${index}]`, context))),
    ],
    tools,
    ...decodeToolChoice(body['tool_choice'], tools),
    maxOutputTokens: asNumber(body['max_tokens']),
    temperature: asNumber(body['temperature']),
    topP: asNumber(body['top_p']),
    topK: asNumber(body['top_k']),
    stop: decodeStop(body['stop_sequences']),
    format: decodeFormat(body),
    reasoning: decodeReasoning(body, turns, report),
    serviceTier: body['service_tier'] === 'standard_only' ? 'default' : asString(body['service_tier']),
    user: decodeUser(body['metadata'], report),
    cache: auto && { auto },
  };
}

function decodeTurns(messages: unknown): JsonObject[] {
  if (!Array.isArray(messages)) throw invalidField('messages', 'must be an array');
  if (messages.length === 0) throw invalidField('messages', 'must have at least one message');
  return messages.map((turn: unknown, index) => {
    if (!isRecord(turn)) throw invalidField(`messages[${index}]`, 'must be an object');
    return turn;
  });
}

function decodeTurn({ role, content }: JsonObject, param: string, context: BlockContext): Message[] {
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    throw invalidField(`${param}[role]`, 'must be user, assistant, or system');
  }
  const blocks = decodeContent(content, `${param}[content]`, context);
  // `decodeTools` already reads the tools of these blocks.
  const filtered = blocks.filter((block) => block.type !== 'foreign' || block.kind !== 'tool_addition');
  return filtered.length === 0 && role === 'system' ? [] : [{ role, content: filtered }];
}

function decodeSystem(system: unknown, context: BlockContext): Message[] {
  const blocks = decodeContent(system, 'system', context);
  const content = blocks.filter((block) => block.type !== 'text' || !block.text.startsWith(BILLING));
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

function decodeStop(sequences: unknown): string[] | undefined {
  const stop = asArray(sequences).filter((text): text is string => typeof text === 'string' && text !== '');
  return stop.length > 0 ? stop : undefined;
}

function decodeFormat({ output_config: config, output_format: legacy }: JsonObject): TextFormat | undefined {
  const format = isRecord(config) && isRecord(config['format']) ? config['format'] : legacy;
  if (!isRecord(format) || format['type'] !== 'json_schema' || !isRecord(format['schema'])) return undefined;
  return { type: 'schema', name: asString(format['name']) ?? DEFAULT_FORMAT_NAME, schema: format['schema'] };
}

/** A turn's `output_config` also applies to later turns, so the last one wins. */
function decodeReasoning(
  { thinking, output_config: config }: JsonObject,
  turns: readonly JsonObject[],
  report: DecodeInput['report'],
): Reasoning | undefined {
  const configs = [config, ...turns.map((turn) => turn['output_config'])].filter(isRecord);
  const name = configs.findLast((fields) => asString(fields['effort']) !== undefined)?.['effort'];
  const effort = EFFORTS.find((known) => known === name);
  if (name !== undefined && effort === undefined) report({ field: 'output_config.effort', how: 'dropped' });
  if (isRecord(config) && isRecord(config['task_budget'])) {
    report({ field: 'output_config.task_budget', how: 'dropped' });
  }
  const decoded = decodeThinking(thinking, report);
  // Disabled thinking corresponds to no effort in the other protocols.
  if (decoded.enabled === false && effort !== undefined) report({ field: 'output_config.effort', how: 'dropped' });
  return asNonEmptyObject({ ...decoded, effort });
}

function decodeThinking(thinking: unknown, report: DecodeInput['report']): Reasoning {
  if (!isRecord(thinking)) return {};
  const display = asString(thinking['display']);
  const visible = display === undefined ? undefined : display === 'omitted' ? 'none' : 'summary';
  switch (thinking['type']) {
    case 'disabled':
      return { enabled: false };
    case 'adaptive':
      return { adaptive: true, visible };
    case 'enabled': {
      const budgetTokens = asNumber(thinking['budget_tokens']);
      if (budgetTokens === undefined) throw invalidField('thinking[budget_tokens]', 'must be a number');
      return { enabled: true, budgetTokens, visible };
    }
    case 'between_tools':
      report({ field: 'thinking.type', how: 'replaced' });
      return { adaptive: true };
    default:
      throw invalidField('thinking[type]', 'must be adaptive, enabled, disabled, or between_tools');
  }
}

function decodeUser(value: unknown, report: DecodeInput['report']): string | undefined {
  const { user_id: user, ...others } = objectOrEmpty(value);
  if (Object.keys(others).length > 0) report({ field: 'metadata', how: 'dropped' });
  return asString(user);
}
