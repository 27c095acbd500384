import type { ContentBlock, LossReport, Message, TextTarget } from '@sluice/canonical';
import { arrangeTurns, usesTools } from '../../anthropic-style/arrange-turns.ts';
import { encodeBlock, canEncode, type WireBlock } from './encode-block.ts';
import { uniqueCallIds } from '../../anthropic-style/unique-call-ids.ts';
import { invalidField } from '../../json/json-field.ts';

interface WireTurn {
  role: 'user' | 'assistant' | 'system';
  content: WireBlock[];
}

export interface EncodedTurns {
  system: WireBlock[];
  messages: WireTurn[];
  calledTools: string[];
  /** Whether a tool loop is in progress in which no turn starts with the vendor's own thinking. */
  unsignedLoop: boolean;
}

/**
 * Encodes leading instructions as system blocks, and the rest of the conversation as alternating turns.
 * @throws GatewayError `invalid_request` for an empty conversation, or `unsupported_parameter` for unsupported media
 */
export function encodeTurns(
  messages: readonly Message[],
  target: TextTarget,
  systemTurns: boolean,
  report: LossReport,
): EncodedTurns {
  const first = messages.findIndex(({ role }) => role === 'user' || role === 'assistant');
  const leading = messages.slice(0, first === -1 ? messages.length : first);
  const rest = messages.slice(leading.length).map((message) => {
    const encodable = encodableMessage(message, target, report);
    return message.role === 'system' || message.role === 'developer' ? textOnly(encodable, report) : encodable;
  });
  const system = leading
    .map((message) => encodableMessage(message, target, report))
    .flatMap((message) => textOnly(message, report).content)
    .map((block) => encodeBlock(block, target, report));
  if (system.length === 0 && rest.every(({ content }) => content.length === 0)) {
    throw invalidField('messages', 'must have at least one message that is not empty');
  }
  const hasTools = usesTools(rest);
  const arranged = arrangeTurns(rest, systemTurns);
  const turns = hasTools ? uniqueCallIds(arranged) : arranged;
  const encoded = turns.map(({ role, content }): WireTurn => ({
    role,
    content: content.map((block) => encodeBlock(block, target, report)),
  }));
  trimPrefill(encoded);
  return {
    system,
    messages: encoded,
    calledTools: hasTools ? calledTools(encoded) : [],
    unsignedLoop: hasTools && isUnsignedLoop(encoded),
  };
}

function calledTools(turns: readonly WireTurn[]): string[] {
  const calls = turns.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use'));
  return [...new Set(calls.map(({ name }) => String(name)))];
}

function encodableMessage({ role, content, name }: Message, target: TextTarget, report: LossReport): Message {
  if (name !== undefined) report({ field: 'name', how: 'dropped' });
  return { role, content: content.filter((block) => canEncode(block, target, report)) };
}

function textOnly({ role, content }: Message, report: LossReport): Message {
  for (const block of content) {
    if (!isText(block)) report({ field: block.type === 'media' ? block.kind : block.type, how: 'dropped' });
  }
  return { role, content: content.filter(isText) };
}

/** The vendor rejects a prefill that ends with whitespace. */
function trimPrefill(turns: readonly WireTurn[]): void {
  const last = turns.at(-1);
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (block?.type === 'text' && typeof block['text'] === 'string') block['text'] = block['text'].trimEnd();
}

function isUnsignedLoop(turns: readonly WireTurn[]): boolean {
  let hasCalls = false;
  for (const { role, content } of turns.toReversed()) {
    if (role === 'user' && !content.some(({ type }) => type === 'tool_result')) break;
    if (role !== 'assistant') continue;
    if (content[0]?.type === 'thinking' || content[0]?.type === 'redacted_thinking') return false;
    hasCalls ||= content.some(({ type }) => type === 'tool_use');
  }
  return hasCalls;
}

function isText(block: ContentBlock): boolean {
  return block.type === 'text';
}
