import type { ContentBlock, ReasoningBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeContent } from './decode-content.ts';
import { readResponseImage } from '../wire/decode-media.ts';
import { decodeReasoningBlocks, reasoningText } from '../wire/decode-reasoning.ts';
import { optionalList, requireName, requireObject } from '../wire/invalid-field.ts';
import { isGiven, listOf, textOf, type JsonObject } from '../wire/json.ts';
import { isReasoningPack, unpackReasoning } from '../wire/reasoning-carrier.ts';

/**
 * Reads an assistant's message: reasoning, then content, then calls, each call after the reasoning that came with it.
 * @param path of the message, for errors
 * @throws GatewayError `invalid_request` naming the field
 */
export function decodeAssistant(message: JsonObject, path: string, tokenCodec: TokenCodec): ContentBlock[] {
  const calls = decodeCalls(message, path);
  const content = decodeContent(message['content'], `${path}[content]`);
  const refusal = textOf(message['refusal']);
  const audioId = isRecord(message['audio']) ? textOf(message['audio']['id']) : undefined;
  const response: ContentBlock[] = [
    ...content,
    ...(refusal === undefined ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...listOf(message['images']).flatMap((image) => readResponseImage(image) ?? []),
    ...(audioId === undefined
      ? []
      : [
          {
            type: 'media',
            kind: 'audio',
            source: { from: 'file', protocol: 'chat-completions', id: audioId },
          } as const,
        ]),
  ];
  // A message that only calls tools is often sent with an empty text.
  const told = response.filter((block) => block.type !== 'text' || block.text !== '');
  const hasMore = told.length > 0 || calls.length > 0;
  return joinReasoning(message, hasMore ? told : response, calls, tokenCodec);
}

function joinReasoning(
  message: JsonObject,
  response: ContentBlock[],
  calls: readonly { block: ToolCallBlock; signature?: string | undefined }[],
  tokenCodec: TokenCodec,
): ContentBlock[] {
  const read = (value: string): OpaqueToken => readToken(tokenCodec, 'chat-completions', value);
  const last = signatureOf(message);
  const closing = last === undefined ? undefined : read(last);
  const seals = calls.map(({ signature }) => (signature === undefined ? undefined : read(signature)));
  const packs = [...seals, closing].filter((seal) => seal !== undefined && isReasoningPack(seal));
  const text = reasoningText(message);
  const sent = decodeReasoningBlocks(message, tokenCodec);
  // Text that was changed on the way no longer belongs to its seals.
  const unpacked = sent.length > 0 || packs.length === 0 ? undefined : unpackReasoning(packs as OpaqueToken[], text); // undefined ones are filtered out
  const plain: ReasoningBlock[] =
    sent.length > 0 || unpacked || text === undefined ? sent : [{ type: 'reasoning', text: [text], isSummary: false }];

  const blocks: ContentBlock[] = [...plain, ...(unpacked?.[0] ?? []), ...closeText(response, closing)];
  let pack = 0;
  for (const [at, { block }] of calls.entries()) {
    const seal = seals[at];
    const isPack = seal !== undefined && isReasoningPack(seal);
    if (isPack && pack > 0) blocks.push(...(unpacked?.[pack] ?? []));
    if (isPack) pack++;
    blocks.push(seal === undefined || isPack ? block : { ...block, seal });
  }
  // What the message itself carries came after its calls, where any of them carries some.
  if (pack > 0 && closing !== undefined && isReasoningPack(closing)) blocks.push(...(unpacked?.[pack] ?? []));
  return blocks;
}

/** Gives the message's own seal back to its last text, where it came from. */
function closeText(response: ContentBlock[], seal: OpaqueToken | undefined): ContentBlock[] {
  if (!seal || isReasoningPack(seal)) return response;
  const last = response.findLastIndex((block) => block.type === 'text');
  if (last === -1) return [...response, { type: 'text', text: '', seal }];
  return response.map((block, at) => (at === last && block.type === 'text' ? { ...block, seal } : block));
}

function decodeCalls(message: JsonObject, path: string): { block: ToolCallBlock; signature?: string | undefined }[] {
  const calls = optionalList(message['tool_calls'], `${path}[tool_calls]`).map((value, index) => {
    const field = `${path}[tool_calls][${index}]`;
    const call = requireObject(value, field);
    const signature = signatureOf(call);
    return {
      block: decodeCall(call, field, textOf(call['id']) ?? unnamedCallId(path, index)),
      signature,
    };
  });
  const legacy = message['function_call'];
  if (!isGiven(legacy)) return calls;
  const field = `${path}[function_call]`;
  return [...calls, { block: functionCall(requireObject(legacy, field), field, unnamedCallId(path, calls.length)) }];
}

function decodeCall(call: JsonObject, path: string, callId: string): ToolCallBlock {
  if (call['type'] === 'custom') {
    const custom = requireObject(call['custom'], `${path}[custom]`);
    const name = flatToolName(requireName(custom['name'], `${path}[custom][name]`));
    return { type: 'tool-call', callId, name, kind: 'custom', arguments: argumentText(custom['input']) };
  }
  return functionCall(requireObject(call['function'], `${path}[function]`), `${path}[function]`, callId);
}

function functionCall(called: JsonObject, path: string, callId: string): ToolCallBlock {
  const name = flatToolName(requireName(called['name'], `${path}[name]`));
  return { type: 'tool-call', callId, name, kind: 'function', arguments: argumentText(called['arguments']) };
}

/** Some clients send the arguments as the object itself. */
function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isGiven(value) ? JSON.stringify(value) : '';
}

/** The same for the same place, so that a conversation sent again keeps its ids. */
function unnamedCallId(path: string, index: number): string {
  return `call_${path.replaceAll(/\D/g, '')}_${index}`;
}

/** What the vendor sealed, where Gemini's compatible interface has it (`extra_content.google.thought_signature`). */
export function signatureOf(holder: JsonObject): string | undefined {
  const extra = holder['extra_content'];
  const google = isRecord(extra) ? extra['google'] : undefined;
  return isRecord(google) ? textOf(google['thought_signature']) : undefined;
}
