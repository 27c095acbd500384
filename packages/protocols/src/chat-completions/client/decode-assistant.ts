import type { ContentBlock, ReasoningBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import type { JsonField } from '../../json/json-field.ts';
import { asArray, asNonEmptyString, isSet, type JsonObject } from '../../json/values.ts';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { decodeResponseImage } from '../wire/decode-media.ts';
import { decodeReasoningBlocks, reasoningText } from '../wire/decode-reasoning.ts';
import { thoughtSignatureOf } from '../wire/extra-content.ts';
import { isReasoningPack, unpackReasoning } from '../wire/reasoning-pack.ts';
import { decodeContent } from './decode-content.ts';

interface SignedCall {
  block: ToolCallBlock;
  signature?: string | undefined;
}

/**
 * Decodes an assistant message in this order: reasoning, content, calls. Each call follows the reasoning that preceded
 * it.
 */
export function decodeAssistant(field: JsonField, tokenCodec: TokenCodec): ContentBlock[] {
  const calls = decodeCalls(field);
  const message = field.object();
  const refusal = asNonEmptyString(message['refusal']);
  const audioId = isRecord(message['audio']) ? asNonEmptyString(message['audio']['id']) : undefined;
  const content = decodeContent(field.get('content'));
  if (refusal !== undefined) content.push({ type: 'refusal', text: refusal });
  content.push(...asArray(message['images']).flatMap((image) => decodeResponseImage(image) ?? []));
  if (audioId !== undefined) {
    const source = { from: 'file', protocol: 'chat-completions', id: audioId } as const;
    content.push({ type: 'media', kind: 'audio', source });
  }
  // Clients often send an empty text with a message that only calls tools.
  const filled = content.filter((block) => block.type !== 'text' || block.text !== '');
  const hasMore = filled.length > 0 || calls.length > 0;
  return joinReasoning(message, hasMore ? filled : content, calls, tokenCodec);
}

function joinReasoning(
  message: JsonObject,
  content: ContentBlock[],
  calls: readonly SignedCall[],
  tokenCodec: TokenCodec,
): ContentBlock[] {
  const read = (value: string | undefined) =>
    value === undefined ? undefined : readToken(tokenCodec, 'chat-completions', value);
  const messageToken = read(thoughtSignatureOf(message));
  const callTokens = calls.map(({ signature }) => read(signature));
  const packs = [...callTokens, messageToken].filter(
    (token): token is OpaqueToken => token !== undefined && isReasoningPack(token),
  );
  const text = reasoningText(message);
  const listed = decodeReasoningBlocks(message, tokenCodec);
  // Undefined if the client changed the text, because the tokens no longer match it.
  const unpacked = listed.length > 0 || packs.length === 0 ? undefined : unpackReasoning(packs, text);
  const isPlain = listed.length === 0 && !unpacked && text !== undefined;
  const reasoning: ReasoningBlock[] = isPlain ? [{ type: 'reasoning', text: [text], isSummary: false }] : listed;

  const blocks: ContentBlock[] = [...reasoning, ...(unpacked?.[0] ?? []), ...attachToken(content, messageToken)];
  let pack = 0;
  for (const [index, { block }] of calls.entries()) {
    const token = callTokens[index];
    const isPack = token !== undefined && isReasoningPack(token);
    if (isPack && pack > 0) blocks.push(...(unpacked?.[pack] ?? []));
    if (isPack) pack++;
    blocks.push(token === undefined || isPack ? block : { ...block, opaqueToken: token });
  }
  // If any call has a reasoning pack, the message's own pack holds the reasoning that followed the calls.
  if (pack > 0 && messageToken && isReasoningPack(messageToken)) blocks.push(...(unpacked?.[pack] ?? []));
  return blocks;
}

/** Attaches the message's token to its last text, the block that the token came from. */
function attachToken(content: ContentBlock[], opaqueToken: OpaqueToken | undefined): ContentBlock[] {
  if (!opaqueToken || isReasoningPack(opaqueToken)) return content;
  const last = content.findLast((block) => block.type === 'text');
  if (!last) return [...content, { type: 'text', text: '', opaqueToken }];
  return content.map((block) => (block === last ? { ...last, opaqueToken } : block));
}

function decodeCalls(message: JsonField): SignedCall[] {
  const calls = message
    .get('tool_calls')
    .optionalItems()
    .map((call, index): SignedCall => {
      const callId = call.get('id').nonEmptyString ?? fallbackCallId(message.path, index);
      return { block: decodeCall(call, callId), signature: thoughtSignatureOf(call.object()) };
    });
  const legacy = message.get('function_call');
  if (legacy.isSet) calls.push({ block: functionCall(legacy, fallbackCallId(message.path, calls.length)) });
  return calls;
}

function decodeCall(call: JsonField, callId: string): ToolCallBlock {
  if (call.get('type').value !== 'custom') return functionCall(call.get('function'), callId);
  const custom = call.get('custom');
  const name = flatToolName(custom.get('name').requireNonEmptyString());
  return { type: 'tool-call', callId, name, kind: 'custom', arguments: argumentText(custom.get('input').value) };
}

function functionCall(called: JsonField, callId: string): ToolCallBlock {
  const name = flatToolName(called.get('name').requireNonEmptyString());
  return { type: 'tool-call', callId, name, kind: 'function', arguments: argumentText(called.get('arguments').value) };
}

/** Some clients send the arguments as an object instead of a JSON string. */
function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isSet(value) ? JSON.stringify(value) : '';
}

/** The id depends only on the position, so a conversation keeps its ids in later requests. */
function fallbackCallId(path: string, index: number): string {
  return `call_${path.replaceAll(/\D/g, '')}_${index}`;
}
