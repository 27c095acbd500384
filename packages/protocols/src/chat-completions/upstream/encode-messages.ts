import type { ContentBlock, LossReport, Message, TextTarget, ToolResultBlock } from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import { encodeAssistant, type WireMessage } from './encode-assistant.ts';
import { encodeParts, simplestContent, type WirePart } from './encode-content.ts';
import type { ModelTraits } from './model-traits.ts';

/** Context of the message encoders. */
export interface MessageWriting {
  target: TextTarget;
  traits: ModelTraits;
  report: LossReport;
}

/**
 * Encodes the conversation by the rules of this protocol's vendors:
 *
 * - leading instructions are one message, later ones stay in place;
 * - consecutive assistant messages are one message, which holds their calls;
 * - one `tool` message per call follows directly, in the order of the calls, even for a call without a result;
 * - content that a `tool` message cannot hold (images, documents) follows in a user's message.
 *
 * @param addition instructions of the gateway, after those of the client
 * @throws GatewayError `unsupported_parameter` for media that cannot be carried
 */
export function encodeMessages(
  conversation: readonly Message[],
  addition: string[],
  writing: MessageWriting,
): WireMessage[] {
  const messages = conversation.filter(saysSomething);
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const leading = first === -1 ? messages : messages.slice(0, first);
  const written = encodeLeading(leading, addition, writing);
  let at = leading.length;
  while (at < messages.length) {
    const start = at;
    while (messages[at]?.role === 'assistant') at++;
    const turn = messages.slice(start, at);
    const from = at;
    while (at < messages.length && messages[at]?.role !== 'assistant') at++;
    written.push(...encodeStep(turn, messages.slice(from, at), writing));
  }
  return written;
}

/** Empty instructions are dropped; an empty user or assistant message is kept. */
function saysSomething({ role, content }: Message): boolean {
  if (role === 'user' || role === 'assistant') return content.length > 0;
  return content.some((block) => block.type !== 'text' || block.text !== '');
}

function encodeLeading(messages: readonly Message[], addition: string[], writing: MessageWriting): WireMessage[] {
  const blocks: ContentBlock[] = messages.flatMap(({ content }) => content);
  const added = addition.map((text) => ({ type: 'text', text }) as const);
  const message = instruction([...blocks, ...added], writing);
  const name = messages.length === 1 ? messages[0]?.name : undefined;
  return message ? [{ ...message, ...(name !== undefined && { name }) }] : [];
}

function instruction(blocks: readonly ContentBlock[], { traits, report }: MessageWriting): WireMessage | undefined {
  const texts = blocks.filter((block) => {
    if (block.type === 'text') return true;
    report({ field: block.type === 'media' ? `system ${block.kind}` : `system ${block.type}`, how: 'dropped' });
    return false;
  });
  const content = simplestContent(encodeParts(texts, traits, report));
  return content === undefined ? undefined : { role: traits.instructionRole, content };
}

/** Encodes one assistant message and all messages up to the next one. */
function encodeStep(turn: readonly Message[], following: readonly Message[], writing: MessageWriting): WireMessage[] {
  const { message, callIds, media } = encodeAssistant(turn, writing);
  const responses = new Map<string, ToolResultBlock>();
  const rest = following.map((next) => ({
    ...next,
    content: next.content.filter((block) => {
      if (block.type !== 'tool-result' || !callIds.includes(block.callId) || responses.has(block.callId)) return true;
      responses.set(block.callId, block);
      return false;
    }),
  }));
  const hoisted: WirePart[] = encodeParts(media, writing.traits, writing.report);
  const results = callIds.map((callId) => encodeResult(callId, responses.get(callId), hoisted, writing));
  const written: WireMessage[] = [...(message ? [message] : []), ...results];
  for (const next of rest) {
    if (next.role !== 'user') {
      const later = instruction(next.content, writing);
      if (later) written.push(later);
      continue;
    }
    const parts = [...hoisted.splice(0), ...encodeParts(asUserContent(next.content), writing.traits, writing.report)];
    const content = simplestContent(parts) ?? (next.content.some(({ type }) => type === 'text') ? '' : undefined);
    if (content === undefined) continue;
    written.push({ role: 'user', content, ...(next.name !== undefined && { name: next.name }) });
  }
  if (hoisted.length > 0) written.push({ role: 'user', content: hoisted });
  return written;
}

/** `tool` messages hold text only; media are added to `hoisted`. */
function encodeResult(
  callId: string,
  result: ToolResultBlock | undefined,
  hoisted: WirePart[],
  { traits, report }: MessageWriting,
): WireMessage {
  const texts = (result?.content ?? []).map((block) => {
    if (block.type === 'text') return block.text;
    const [part] = encodeParts([block], traits, report);
    // A text document needs no message of its own.
    if (part?.['type'] === 'text') return String(part['text']);
    if (part) hoisted.push(part);
    return `[${block.kind} attached below]`;
  });
  if (result?.cache) report({ field: 'cache_control', how: 'dropped' });
  const text = result ? texts.filter((chunk) => chunk !== '').join('\n') : '[no result]';
  return { role: 'tool', tool_call_id: safeCallId(callId), content: result?.isError ? `Error: ${text}` : text };
}

/** A result without its call becomes text. */
function asUserContent(blocks: readonly ContentBlock[]): ContentBlock[] {
  return blocks.flatMap((block): ContentBlock[] => {
    if (block.type !== 'tool-result') return [block];
    const label = `[Result of tool call ${block.name ?? block.callId}]`;
    return [{ type: 'text', text: block.isError ? `${label} Error:` : label }, ...block.content];
  });
}
