import {
  type ContentBlock,
  GatewayError,
  type LossReport,
  type ReasoningBlock,
  type ToolKind,
  type ToolResultBlock,
} from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { readWrappedToken } from './wrapped-token.ts';
import type { Conversation } from './conversation.ts';
import { decodeContent } from '../wire/decode-content.ts';
import { asList, asRecord, asText, type Fields, invalid, requiredText } from '../wire/wire-value.ts';

/** What items are read into. */
export interface ItemReading {
  conversation: Conversation;
  tokenCodec: TokenCodec;
  report: LossReport;
  /** Tools that come by an item: each list is as `tools` of a request. */
  addTools(tools: readonly unknown[], param: string): void;
  /** A change of `reasoning` and `text` that holds from here on. */
  configure(change: Fields): void;
}

/**
 * Reads one item of `input` (openai-node 7.55, `ResponseInputItem`). Items of hosted tools, and those that nobody knows,
 * become foreign blocks.
 * @param param where it stands, as `input[3]`
 * @throws GatewayError `invalid_request`; `item_not_found` and `invalid_encrypted_content` for references and compactions
 * that should have been resolved before
 */
export function decodeItem(item: unknown, param: string, reading: ItemReading): void {
  if (!isRecord(item)) throw invalid(param, 'must be an object');
  const { conversation, report } = reading;
  switch (kindOfItem(item)) {
    case 'message':
      return decodeMessage(item, param, reading);
    case 'function_call':
      return decodeCall(item, 'function', param, reading);
    case 'custom_tool_call':
      return decodeCall(item, 'custom', param, reading);
    case 'function_call_output':
      return decodeResult(item, 'function', param, reading);
    case 'custom_tool_call_output':
      return decodeResult(item, 'custom', param, reading);
    case 'reasoning':
      return decodeReasoning(item, reading);
    case 'additional_tools':
      return reading.addTools(asList(item['tools']), `${param}[tools]`);
    case 'tool_search_output':
      // What the search found counts; the call and its output need no turn of their own.
      return reading.addTools(asList(item['tools']), `${param}[tools]`);
    case 'tool_search_call':
      return;
    case 'configuration_update':
      return reading.configure(item);
    case 'item_reference':
      return refuseReference(item, param, report);
    case 'compaction':
      throw new GatewayError(
        'invalid_encrypted_content',
        `${param} holds a compaction that this gateway cannot read.`,
        {
          param,
        },
      );
    case 'compaction_trigger':
      throw invalid(param, 'must be the last item of input');
    case undefined:
      throw invalid(`${param}[type]`, 'is required');
    default:
      return decodeForeign(item, conversation);
  }
}

/** An item's type; messages and references may come without one. */
function kindOfItem(item: Fields): string | undefined {
  const type = item['type'];
  if (typeof type === 'string') return type;
  if ('role' in item) return 'message';
  return typeof item['id'] === 'string' ? 'item_reference' : undefined;
}

function decodeMessage(item: Fields, param: string, { conversation, report }: ItemReading): void {
  const role = item['role'];
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'developer') {
    throw invalid(`${param}[role]`, 'must be user, assistant, system or developer');
  }
  conversation.say(role, decodeContent(item['content'], `${param}[content]`, report));
}

function decodeCall(item: Fields, kind: ToolKind, param: string, { conversation }: ItemReading): void {
  const text = kind === 'custom' ? item['input'] : item['arguments'];
  conversation.addResponse({
    type: 'tool-call',
    callId: requiredText(item['call_id'], `${param}[call_id]`),
    name: flatToolName(requiredText(item['name'], `${param}[name]`), asText(item['namespace'])),
    kind,
    // Some clients send the arguments as they parsed them.
    arguments: isRecord(text) ? JSON.stringify(text) : (asText(text) ?? ''),
  });
}

function decodeResult(item: Fields, kind: ToolKind, param: string, { conversation, report }: ItemReading): void {
  const told = asText(item['name']);
  const name = told === undefined ? undefined : flatToolName(told, asText(item['namespace']));
  const callId = asText(item['call_id']) ?? conversation.openCall(name)?.callId;
  if (callId === undefined) throw invalid(`${param}[call_id]`, 'is required');
  const call = conversation.madeCall(callId);
  const known = name ?? call?.name;
  const content = decodeContent(item['output'], `${param}[output]`, report);
  conversation.addResult({
    type: 'tool-result',
    callId,
    ...(known !== undefined && { name: known }),
    kind: call?.kind ?? kind,
    content: content.map((part): ToolResultBlock['content'][number] =>
      part.type === 'refusal' ? { type: 'text', text: part.text } : part,
    ),
  });
}

function decodeReasoning(item: Fields, { conversation, tokenCodec }: ItemReading): void {
  const encrypted = asText(item['encrypted_content']);
  const carried = encrypted === undefined || encrypted === '' ? undefined : readWrappedToken(tokenCodec, encrypted);
  if (carried?.seal && carried.callId !== undefined) return conversation.attachToken(carried.callId, carried.seal);
  if (carried?.seal && carried.textPart !== undefined) return conversation.encodeText(carried.seal, carried.textPart);

  const raw = texts(item['content']);
  const summary = texts(item['summary']);
  const shown = raw.length > 0 ? raw : summary;
  const text = carried?.text ?? shown;
  if (text.length === 0 && !carried) return;
  const id = asText(item['id']);
  const block: ReasoningBlock = {
    type: 'reasoning',
    text,
    isSummary: carried?.text === undefined && raw.length === 0,
    ...(carried?.redacted === true && { redacted: true }),
    ...(id !== undefined && id !== '' && { id }),
    ...(carried?.seal && { seal: carried.seal }),
  };
  conversation.addResponse(block);
}

function texts(parts: unknown): string[] {
  return asList(parts).flatMap((part) => asText(asRecord(part)?.['text']) ?? []);
}

/** A reference that the store did not know. Reasoning can be done without: its maker is another one now. */
function refuseReference(item: Fields, param: string, report: LossReport): void {
  const id = requiredText(item['id'], `${param}[id]`);
  if (!id.startsWith('rs_')) throw new GatewayError('item_not_found', `Item with id '${id}' not found.`, { param });
  report({ field: 'item_reference', how: 'dropped' });
}

function decodeForeign(item: Fields, conversation: Conversation): void {
  const kind = String(item['type']);
  const block: ContentBlock = { type: 'foreign', protocol: 'responses', kind, raw: item };
  if (/_(?:output|response)$/.test(kind)) conversation.say('user', [block]);
  else conversation.addResponse(block);
}
