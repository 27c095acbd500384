import { EFFORTS, type GenerationRequest, type Message, type Reasoning, type TextFormat } from '@sluice/canonical';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeCache } from '../wire/cache-control.ts';
import { placeTokens } from './wrapped-token.ts';
import { type BlockContext, decodeContent } from './decode-block.ts';
import { decodeTools, decodeToolChoice, refuseVendorState } from './decode-tools.ts';
import { invalidField } from '../../json/json-field.ts';
import { type JsonObject, asNumber, asString } from '../../json/values.ts';

const KNOWN = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stream',
  'stop_sequences',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'metadata',
  'service_tier',
  'cache_control',
  'mcp_servers',
  'container',
]);

/** Claude Code's first block holds billing data for Anthropic; models have no use for it. */
const BILLING = 'x-anthropic-billing-header:';

/**
 * Reads the body of `POST /v1/messages`.
 * @throws GatewayError `invalid_request` with the path of the field, `unsupported_parameter` for MCP servers and skills
 */
export function decodeRequest({ body, model, stream, tokenCodec, report }: DecodeInput): GenerationRequest {
  refuseVendorState(body, report);
  for (const [field, value] of Object.entries(body)) {
    const says = value !== null && value !== undefined && !(field === 'speed' && value === 'standard');
    if (says && !KNOWN.has(field)) report({ field, how: 'dropped' });
  }
  const turns = decodeTurns(body['messages']);
  const context: BlockContext = { tokenCodec, report };
  const tools = decodeTools(body['tools'], turns);
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
    ...decodeSampling(body),
    ...decodeFormat(body),
    ...decodeReasoning(body, turns, report),
    ...decodeService(body, report),
  };
}

function decodeTurns(messages: unknown): JsonObject[] {
  if (!Array.isArray(messages)) throw invalidField('messages', 'must be an array');
  if (messages.length === 0) throw invalidField('messages', 'must contain at least one message');
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
  // Its tools are in the list of tools already.
  const kept = blocks.filter((block) => block.type !== 'foreign' || block.kind !== 'tool_addition');
  return kept.length === 0 && role === 'system' ? [] : [{ role, content: kept }];
}

function decodeSystem(system: unknown, context: BlockContext): Message[] {
  const blocks = decodeContent(system, 'system', context);
  const content = blocks.filter((block) => block.type !== 'text' || !block.text.startsWith(BILLING));
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

function decodeSampling(body: JsonObject): Partial<GenerationRequest> {
  const maxOutputTokens = asNumber(body['max_tokens']);
  const temperature = asNumber(body['temperature']);
  const topP = asNumber(body['top_p']);
  const topK = asNumber(body['top_k']);
  const stops = Array.isArray(body['stop_sequences']) ? body['stop_sequences'] : [];
  const stop = stops.filter((text): text is string => typeof text === 'string' && text !== '');
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(stop.length > 0 && { stop }),
  };
}

function decodeFormat({ output_config: config, output_format: old }: JsonObject): { format?: TextFormat } {
  const format = isRecord(config) && isRecord(config['format']) ? config['format'] : old;
  if (!isRecord(format) || format['type'] !== 'json_schema' || !isRecord(format['schema'])) return {};
  return { format: { type: 'schema', name: asString(format['name']) ?? 'response', schema: format['schema'] } };
}

/** The `output_config` of a turn applies from there on, so the last one counts. */
function decodeReasoning(
  { thinking, output_config: config }: JsonObject,
  turns: readonly JsonObject[],
  report: DecodeInput['report'],
): { reasoning?: Reasoning } {
  const configs = [config, ...turns.map((turn) => turn['output_config'])].filter(isRecord);
  const word = configs.findLast((given) => asString(given['effort']) !== undefined)?.['effort'];
  const effort = EFFORTS.find((known) => known === word);
  if (word !== undefined && effort === undefined) report({ field: 'output_config.effort', how: 'dropped' });
  if (isRecord(config) && isRecord(config['task_budget'])) {
    report({ field: 'output_config.task_budget', how: 'dropped' });
  }
  const reasoning = { ...decodeThinking(thinking, report), ...(effort !== undefined && { effort }) };
  return Object.keys(reasoning).length === 0 ? {} : { reasoning };
}

function decodeThinking(thinking: unknown, report: DecodeInput['report']): Reasoning {
  if (!isRecord(thinking)) return {};
  const display = asString(thinking['display']);
  const visible: Pick<Reasoning, 'visible'> =
    display === undefined ? {} : { visible: display === 'omitted' ? 'none' : 'summary' };
  switch (thinking['type']) {
    case 'disabled':
      return { enabled: false };
    case 'adaptive':
      return { adaptive: true, ...visible };
    case 'enabled': {
      const budgetTokens = asNumber(thinking['budget_tokens']);
      if (budgetTokens === undefined) throw invalidField('thinking[budget_tokens]', 'must be a number');
      return { enabled: true, budgetTokens, ...visible };
    }
    case 'between_tools':
      report({ field: 'thinking.type', how: 'replaced' });
      return { adaptive: true };
    default:
      throw invalidField('thinking[type]', 'must be adaptive, enabled, disabled, or between_tools');
  }
}

function decodeService(body: JsonObject, report: DecodeInput['report']): Partial<GenerationRequest> {
  const tier = body['service_tier'];
  const metadata = isRecord(body['metadata']) ? body['metadata'] : {};
  const user = asString(metadata['user_id']);
  if (Object.keys(metadata).some((key) => key !== 'user_id')) report({ field: 'metadata', how: 'dropped' });
  const { cache } = decodeCache(body['cache_control']);
  return {
    ...(typeof tier === 'string' && { serviceTier: tier === 'standard_only' ? 'default' : tier }),
    ...(user !== undefined && { user }),
    ...(cache && { cache: { auto: cache } }),
  };
}
