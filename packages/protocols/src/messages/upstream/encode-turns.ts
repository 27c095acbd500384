import type { ContentBlock, LossReport, Message, TextTarget } from '@sluice/canonical';
import { arrangeTurns } from './arrange-turns.ts';
import { encodeBlock, canEncode, type WireBlock } from './encode-block.ts';
import { uniqueCallIds } from './unique-call-ids.ts';
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
  const rest = messages
    .slice(leading.length)
    .map((message) => encodableMessage(message, target, report))
    .map((message) =>
      message.role === 'system' || message.role === 'developer' ? textOnly(message, report) : message,
    );
  const system = leading
    .map((message) => encodableMessage(message, target, report))
    .flatMap((message) => textOnly(message, report).content)
    .map((block) => encodeBlock(block, target, report));
  if (system.length === 0 && rest.every(({ content }) => content.length === 0)) {
    throw invalidField('messages', 'must have at least one message that is not empty');
  }
  const turns = uniqueCallIds(arrangeTurns(rest, systemTurns));
  const encoded = turns.map(({ role, content }): WireTurn => ({
    role,
    content: content.map((block) => encodeBlock(block, target, report)),
  }));
  trimPrefill(encoded);
  const calls = encoded.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use'));
  return {
    system,
    messages: encoded,
    calledTools: [...new Set(calls.map(({ name }) => String(name)))],
    unsignedLoop: isUnsignedLoop(encoded),
  };
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
