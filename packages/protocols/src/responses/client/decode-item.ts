import {
  type ContentBlock,
  GatewayError,
  type LossReport,
  type ToolKind,
  type ToolResultBlock,
} from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import type { JsonField } from '../../json/json-field.ts';
import { asNonEmptyString, asString, type JsonObject } from '../../json/values.ts';
import type { TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { decodeContent, partTexts } from '../wire/decode-content.ts';
import type { Conversation } from './conversation.ts';
import { readWrappedToken } from './wrapped-token.ts';

export interface ItemTarget {
  conversation: Conversation;
  tokenCodec: TokenCodec;
  report: LossReport;
  /** Adds the tools of an item. The list has the same format as `tools` in a request. */
  addTools(tools: JsonField): void;
  /** Changes `reasoning` and `text` for the items that follow. */
  configure(change: JsonObject): void;
}

/**
 * Decodes one item of `input` (openai-node 7.55, `ResponseInputItem`). Items of hosted tools and unknown types become
 * foreign blocks.
 * @throws GatewayError `invalid_request`, or `item_not_found` and `invalid_encrypted_content` for references and
 * compactions that the gateway could not resolve
 */
export function decodeItem(field: JsonField, target: ItemTarget): void {
  if (!isRecord(field.value)) throw field.invalid('must be an object');
  const item = field.value;
  const { conversation, report } = target;
  switch (itemType(item)) {
    case 'message':
      return decodeMessage(field, target);
    case 'function_call':
      return decodeCall(field, 'function', target);
    case 'custom_tool_call':
      return decodeCall(field, 'custom', target);
    case 'function_call_output':
      return decodeResult(field, 'function', target);
    case 'custom_tool_call_output':
      return decodeResult(field, 'custom', target);
    case 'reasoning':
      return decodeReasoning(item, target);
    case 'additional_tools':
    // Only the tools that the search returned are needed. The search call and its output do not become messages.
    case 'tool_search_output':
      return target.addTools(field.get('tools'));
    case 'tool_search_call':
      return;
    case 'configuration_update':
      return target.configure(item);
    case 'item_reference':
      return rejectReference(field, report);
    case 'compaction':
      throw new GatewayError(
        'invalid_encrypted_content',
        `${field.path} is a compaction that this gateway cannot read. Send the conversation itself.`,
        { param: field.path },
      );
    case 'compaction_trigger':
      throw field.invalid('must be the last item of input');
    case undefined:
      throw field.get('type').invalid('is required');
    default:
      return decodeForeign(item, conversation);
  }
}

/** Messages and references can omit their type. */
function itemType(item: JsonObject): string | undefined {
  const type = item['type'];
  if (typeof type === 'string') return type;
  if ('role' in item) return 'message';
  return typeof item['id'] === 'string' ? 'item_reference' : undefined;
}

function decodeMessage(item: JsonField, { conversation, report }: ItemTarget): void {
  const role = item.get('role');
  switch (role.value) {
    case 'user':
    case 'assistant':
    case 'system':
    case 'developer':
      return conversation.addMessage(role.value, decodeContent(item.get('content'), report));
    default:
      throw role.invalid('must be user, assistant, system, or developer');
  }
}

function decodeCall(item: JsonField, kind: ToolKind, { conversation }: ItemTarget): void {
  const text = item.get(kind === 'custom' ? 'input' : 'arguments').value;
  conversation.addAssistantBlock({
    type: 'tool-call',
    callId: item.get('call_id').requireString(),
    name: flatToolName(item.get('name').requireString(), item.get('namespace').string),
    kind,
    // Some clients send the arguments as an object.
    arguments: isRecord(text) ? JSON.stringify(text) : (asString(text) ?? ''),
  });
}

function decodeResult(item: JsonField, kind: ToolKind, { conversation, report }: ItemTarget): void {
  const sentName = item.get('name').string;
  const name = sentName === undefined ? undefined : flatToolName(sentName, item.get('namespace').string);
  const idField = item.get('call_id');
  const callId = idField.string ?? conversation.openCall(name)?.callId;
  if (callId === undefined) throw idField.invalid('is required');
  const call = conversation.findCall(callId);
  conversation.addResult({
    type: 'tool-result',
    callId,
    name: name ?? call?.name,
    kind: call?.kind ?? kind,
    content: decodeContent(item.get('output'), report).map((part): ToolResultBlock['content'][number] =>
      part.type === 'refusal' ? { type: 'text', text: part.text } : part,
    ),
  });
}

function decodeReasoning(item: JsonObject, { conversation, tokenCodec }: ItemTarget): void {
  const encrypted = asNonEmptyString(item['encrypted_content']);
  const wrapped = encrypted === undefined ? undefined : readWrappedToken(tokenCodec, encrypted);
  if (wrapped?.opaqueToken) {
    const { opaqueToken, callId, textPart } = wrapped;
    if (callId !== undefined) return conversation.attachToken(callId, opaqueToken);
    if (textPart !== undefined) return conversation.addTextToken(opaqueToken, textPart);
  }

  const raw = partTexts(item['content']);
  const visible = raw.length > 0 ? raw : partTexts(item['summary']);
  const text = wrapped?.text ?? visible;
  if (text.length === 0 && !wrapped) return;
  conversation.addAssistantBlock({
    type: 'reasoning',
    text,
    isSummary: wrapped?.text === undefined && raw.length === 0,
    redacted: wrapped?.redacted,
    id: asNonEmptyString(item['id']),
    opaqueToken: wrapped?.opaqueToken,
  });
}

/**
 * Rejects a reference that is not in the store. A reference to reasoning is only a loss, because reasoning is optional.
 */
function rejectReference(item: JsonField, report: LossReport): void {
  const id = item.get('id').requireString();
  if (!id.startsWith('rs_')) {
    throw new GatewayError('item_not_found', `Item \`${id}\` does not exist. Send the item itself.`, {
      param: item.path,
    });
  }
  report({ field: 'item_reference', how: 'dropped' });
}

function decodeForeign(item: JsonObject, conversation: Conversation): void {
  const kind = String(item['type']);
  const block: ContentBlock = { type: 'foreign', protocol: 'responses', kind, raw: item };
  if (/_(?:output|response)$/.test(kind)) conversation.addMessage('user', [block]);
  else conversation.addAssistantBlock(block);
}
