import type { ContentBlock, ReasoningBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import type { JsonField } from '../../json/json-field.ts';
import { asArray, asNonEmptyString, isSet, type JsonObject } from '../../json/values.ts';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { decodeResponseImage } from '../wire/decode-media.ts';
import { decodeReasoningBlocks, reasoningText } from '../wire/decode-reasoning.ts';
import { thoughtSignatureOf } from '../wire/extra-content.ts';
import { isReasoningPack, unpackReasoning } from '../wire/reasoning-carrier.ts';
import { decodeContent } from './decode-content.ts';

/** A tool call and the thought signature that the client sent with it. */
interface SignedCall {
  block: ToolCallBlock;
  signature?: string | undefined;
}

/** Decodes an assistant message: reasoning, then content, then calls, each call after the reasoning that came with it. */
export function decodeAssistant(field: JsonField, tokenCodec: TokenCodec): ContentBlock[] {
  const calls = decodeCalls(field);
  const message = field.object();
  const refusal = asNonEmptyString(message['refusal']);
  const audioId = isRecord(message['audio']) ? asNonEmptyString(message['audio']['id']) : undefined;
  const response = decodeContent(field.get('content'));
  if (refusal !== undefined) response.push({ type: 'refusal', text: refusal });
  response.push(...asArray(message['images']).flatMap((image) => decodeResponseImage(image) ?? []));
  if (audioId !== undefined) {
    const source = { from: 'file', protocol: 'chat-completions', id: audioId } as const;
    response.push({ type: 'media', kind: 'audio', source });
  }
  // A message that only calls tools is often sent with an empty text.
  const filled = response.filter((block) => block.type !== 'text' || block.text !== '');
  const hasMore = filled.length > 0 || calls.length > 0;
  return joinReasoning(message, hasMore ? filled : response, calls, tokenCodec);
}

function joinReasoning(
  message: JsonObject,
  response: ContentBlock[],
  calls: readonly SignedCall[],
  tokenCodec: TokenCodec,
): ContentBlock[] {
  const read = (value: string | undefined) =>
    value === undefined ? undefined : readToken(tokenCodec, 'chat-completions', value);
  const messageToken = read(thoughtSignatureOf(message));
  const callTokens = calls.map(({ signature }) => read(signature));
  const packs = [...callTokens, messageToken].filter((token) => token !== undefined && isReasoningPack(token));
  const text = reasoningText(message);
  const sent = decodeReasoningBlocks(message, tokenCodec);
  // Text that was changed on the way no longer belongs to its tokens.
  const unpacked = sent.length > 0 || packs.length === 0 ? undefined : unpackReasoning(packs as OpaqueToken[], text); // filtered above
  const plain: ReasoningBlock[] =
    sent.length > 0 || unpacked || text === undefined ? sent : [{ type: 'reasoning', text: [text], isSummary: false }];

  const blocks: ContentBlock[] = [...plain, ...(unpacked?.[0] ?? []), ...attachToken(response, messageToken)];
  let pack = 0;
  for (const [at, { block }] of calls.entries()) {
    const token = callTokens[at];
    const isPack = token !== undefined && isReasoningPack(token);
    if (isPack && pack > 0) blocks.push(...(unpacked?.[pack] ?? []));
    if (isPack) pack++;
    blocks.push(token === undefined || isPack ? block : { ...block, opaqueToken: token });
  }
  // The message's own pack holds what was thought after the calls, if any call carries a pack.
  if (pack > 0 && messageToken && isReasoningPack(messageToken)) blocks.push(...(unpacked?.[pack] ?? []));
  return blocks;
}

/** Returns the message's own token to its last text, where it came from. */
function attachToken(response: ContentBlock[], token: OpaqueToken | undefined): ContentBlock[] {
  if (!token || isReasoningPack(token)) return response;
  const last = response.findLastIndex((block) => block.type === 'text');
  if (last === -1) return [...response, { type: 'text', text: '', opaqueToken: token }];
  return response.map((block, at) => (at === last && block.type === 'text' ? { ...block, opaqueToken: token } : block));
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

/** Some clients send the arguments as the object itself. */
function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isSet(value) ? JSON.stringify(value) : '';
}

/** The same id for the same position, so that a conversation that is sent again keeps its ids. */
function fallbackCallId(path: string, index: number): string {
  return `call_${path.replaceAll(/\D/g, '')}_${index}`;
}
