import type { ContentBlock, LossReport, Message, TextTarget, ToolResultBlock } from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import { encodeAssistant, type WireMessage } from './encode-assistant.ts';
import { encodeParts, simplestContent, type WirePart } from './encode-content.ts';
import type { ModelTraits } from './model-traits.ts';

/** What the writers of messages know. */
export interface MessageWriting {
  target: TextTarget;
  traits: ModelTraits;
  report: LossReport;
}

/**
 * Writes the conversation by the rules that vendors of this protocol hold to:
 *
 * - the leading instructions are one message, later ones keep their place;
 * - turns of the assistant that follow each other are one message, which holds its calls;
 * - directly after it comes one `tool` message for each call, in the order of the calls, also for one without a result;
 * - what a `tool` message cannot hold (pictures, documents) follows all of them in a user's message.
 *
 * @param addition instructions of our own, after those of the client
 * @throws GatewayError `unsupported_parameter` for a medium that cannot be carried
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

/** Empty instructions are left out; an empty text of a user or the assistant is a turn all the same. */
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

/** One turn of the assistant and all that follows it up to the next. */
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

/** `tool` messages hold text alone; media go to `hoisted`. */
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

/** A result whose call is gone is told in words. */
function asUserContent(blocks: readonly ContentBlock[]): ContentBlock[] {
  return blocks.flatMap((block): ContentBlock[] => {
    if (block.type !== 'tool-result') return [block];
    const label = `[Result of tool call ${block.name ?? block.callId}]`;
    return [{ type: 'text', text: block.isError ? `${label} Error:` : label }, ...block.content];
  });
}
