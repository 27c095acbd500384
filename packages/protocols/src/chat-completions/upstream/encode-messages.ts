import type { ContentBlock, LossReport, Message, TextTarget, ToolResultBlock } from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import { encodeAssistant, type WireMessage } from './encode-assistant.ts';
import { encodeContent, encodeParts, onOwnLines, type WirePart } from './encode-content.ts';
import type { ModelTraits } from './model-traits.ts';

export interface MessageContext {
  target: TextTarget;
  traits: ModelTraits;
  report: LossReport;
}

/**
 * Encodes the conversation as this protocol's vendors require:
 *
 * - Leading instructions become one message. Later instructions keep their position.
 * - Consecutive assistant messages become one message with all their calls.
 * - One `tool` message per call follows immediately, in the order of the calls, even if a call has no result.
 * - A result's images and documents follow in a user message, because `tool` messages hold only text.
 *
 * @param instructions the gateway's own instructions, sent after the client's
 * @throws GatewayError `unsupported_parameter` for media that this protocol does not support
 */
export function encodeMessages(
  conversation: readonly Message[],
  instructions: string[],
  context: MessageContext,
): WireMessage[] {
  const messages = conversation.filter(hasContent);
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const leading = first === -1 ? messages : messages.slice(0, first);
  const encoded = encodeLeading(leading, instructions, context);
  let at = leading.length;
  while (at < messages.length) {
    const start = at;
    while (messages[at]?.role === 'assistant') at++;
    const turn = messages.slice(start, at);
    const from = at;
    while (at < messages.length && messages[at]?.role !== 'assistant') at++;
    encoded.push(...encodeStep(turn, messages.slice(from, at), context));
  }
  return encoded;
}

/** Instructions without text are dropped. User and assistant messages with an empty text are kept. */
function hasContent({ role, content }: Message): boolean {
  if (role === 'user' || role === 'assistant') return content.length > 0;
  return content.some((block) => block.type !== 'text' || block.text !== '');
}

function encodeLeading(messages: readonly Message[], instructions: string[], context: MessageContext): WireMessage[] {
  const added = instructions.map((text) => [{ type: 'text', text } as const]);
  const message = encodeInstruction([...messages.map(({ content }) => content), ...added], context);
  return message ? [{ ...message, name: messages.length === 1 ? messages[0]?.name : undefined }] : [];
}

/** Encodes several messages of instructions as one message. */
function encodeInstruction(
  messages: readonly (readonly ContentBlock[])[],
  { traits, report }: MessageContext,
): WireMessage | undefined {
  const isText = (block: ContentBlock): boolean => {
    if (block.type === 'text') return true;
    if (block.type === 'foreign') report({ field: block.kind, how: 'dropped' });
    else report({ field: `system ${block.type === 'media' ? block.kind : block.type}`, how: 'dropped' });
    return false;
  };
  const parts = messages.map((blocks) => encodeParts(blocks.filter(isText), traits, report));
  const content = encodeContent(parts, traits);
  return content === undefined ? undefined : { role: traits.instructionRole, content };
}

/** Encodes one assistant turn and all messages up to the next assistant turn. */
function encodeStep(turn: readonly Message[], following: readonly Message[], context: MessageContext): WireMessage[] {
  const { message, callIds, media } = encodeAssistant(turn, context);
  const resultById = new Map<string, ToolResultBlock>();
  const rest = following.map((next) => ({
    ...next,
    content: next.content.filter((block) => {
      if (block.type !== 'tool-result' || !callIds.includes(block.callId) || resultById.has(block.callId)) return true;
      resultById.set(block.callId, block);
      return false;
    }),
  }));
  const hoisted: WirePart[] = encodeParts(media, context.traits, context.report);
  const results = callIds.map((callId) => encodeResult(callId, resultById.get(callId), hoisted, context));
  const encoded: WireMessage[] = [...(message ? [message] : []), ...results];
  for (const next of rest) {
    if (next.role !== 'user') {
      const instruction = encodeInstruction([next.content], context);
      if (instruction) encoded.push(instruction);
      continue;
    }
    const parts = [...hoisted.splice(0), ...encodeParts(asUserContent(next.content), context.traits, context.report)];
    const content =
      encodeContent([parts], context.traits) ?? (next.content.some(({ type }) => type === 'text') ? '' : undefined);
    if (content === undefined) continue;
    encoded.push({ role: 'user', content, name: next.name });
  }
  if (hoisted.length > 0) encoded.push({ role: 'user', content: hoisted });
  return encoded;
}

/** @param hoisted collects media, because `tool` messages hold only text */
function encodeResult(
  callId: string,
  result: ToolResultBlock | undefined,
  hoisted: WirePart[],
  { traits, report }: MessageContext,
): WireMessage {
  const toolCallId = safeCallId(callId);
  if (!result) return { role: 'tool', tool_call_id: toolCallId, content: '[no result]' };
  const blocks = result.content.filter((block) => block.type !== 'text' || block.text !== '');
  const texts = blocks.map((block, index) => {
    if (block.type === 'text') return block.text;
    const [part] = encodeParts([block], traits, report);
    // A text document can stay in the `tool` message.
    if (part?.['type'] === 'text') return onOwnLines(String(part['text']), blocks, index);
    if (part) hoisted.push(part);
    return onOwnLines(`[${block.kind} attached below]`, blocks, index);
  });
  const isCached = result.content.some((block) => block.cache);
  if (result.cache || isCached) report({ field: 'cache_control', how: 'dropped' });
  const [first = '', ...rest] = texts;
  const labeled = [result.isError ? `Error: ${first}` : first, ...rest];
  const parts = labeled.map((text) => ({ type: 'text', text }));
  return { role: 'tool', tool_call_id: toolCallId, content: encodeContent([parts], traits) };
}

/** A result without a matching call becomes text. */
function asUserContent(blocks: readonly ContentBlock[]): ContentBlock[] {
  return blocks.flatMap((block, index): ContentBlock[] => {
    if (block.type !== 'tool-result') return [block];
    const label = `[Result of tool call ${block.name ?? block.callId}]${block.isError ? ' Error:' : ''}`;
    const [last] = block.content.slice(-1);
    const end: ContentBlock[] =
      index < blocks.length - 1 && last?.type === 'text' ? [{ type: 'text', text: '\n' }] : [];
    return [{ type: 'text', text: `${index > 0 ? '\n' : ''}${label}\n` }, ...block.content, ...end];
  });
}
