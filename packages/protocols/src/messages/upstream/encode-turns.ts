import type { ContentBlock, LossReport, Message, TextTarget } from '@sluice/canonical';
import { arrangeTurns } from './arrange-turns.ts';
import { encodeBlock, isCarried, type WireBlock } from './encode-block.ts';
import { uniqueCallIds } from './unique-call-ids.ts';
import { invalidField } from '../../json/json-field.ts';

interface WireTurn {
  role: 'user' | 'assistant' | 'system';
  content: WireBlock[];
}

export interface EncodedTurns {
  system: WireBlock[];
  messages: WireTurn[];
  /** Names of the tools that the conversation calls. */
  called: string[];
  /** Whether a tool loop is running and none of its turns starts with the vendor's own thinking. */
  unsignedLoop: boolean;
}

/**
 * Writes the conversation: leading instructions become system blocks, the rest alternating turns.
 * @throws GatewayError `invalid_request` for an empty conversation, `unsupported_parameter` for unsupported media
 */
export function encodeTurns(
  messages: readonly Message[],
  target: TextTarget,
  systemTurns: boolean,
  report: LossReport,
): EncodedTurns {
  const first = messages.findIndex(({ role }) => role === 'user' || role === 'assistant');
  const leading = messages.slice(0, first === -1 ? messages.length : first);
  const carried = messages
    .slice(leading.length)
    .map((message) => carriedMessage(message, target, report))
    .map((message) => (message.role === 'system' || message.role === 'developer' ? textsOf(message, report) : message));
  const system = leading
    .map((message) => carriedMessage(message, target, report))
    .flatMap((message) => textsOf(message, report).content)
    .map((block) => encodeBlock(block, target, report));
  if (system.length === 0 && carried.every(({ content }) => content.length === 0)) {
    throw invalidField('messages', 'must contain at least one message that is not empty');
  }
  const turns = uniqueCallIds(arrangeTurns(carried, systemTurns));
  const written = turns.map(({ role, content }): WireTurn => ({
    role,
    content: content.map((block) => encodeBlock(block, target, report)),
  }));
  trimPrefill(written);
  const calls = written.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use'));
  return {
    system,
    messages: written,
    called: [...new Set(calls.map(({ name }) => String(name)))],
    unsignedLoop: isUnsignedLoop(written),
  };
}

function carriedMessage({ role, content, name }: Message, target: TextTarget, report: LossReport): Message {
  if (name !== undefined) report({ field: 'name', how: 'dropped' });
  return { role, content: content.filter((block) => isCarried(block, target, report)) };
}

/** Instructions hold only text; other blocks are reported and dropped. */
function textsOf({ role, content }: Message, report: LossReport): Message {
  for (const block of content) {
    if (!isText(block)) report({ field: block.type === 'media' ? block.kind : block.type, how: 'dropped' });
  }
  return { role, content: content.filter(isText) };
}

/** The vendor rejects a prefill that ends in white space. */
function trimPrefill(turns: readonly WireTurn[]): void {
  const last = turns.at(-1);
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (block?.type === 'text' && typeof block['text'] === 'string') block['text'] = block['text'].trimEnd();
}

function isUnsignedLoop(turns: readonly WireTurn[]): boolean {
  let calls = false;
  for (const { role, content } of turns.toReversed()) {
    if (role === 'user' && !content.some(({ type }) => type === 'tool_result')) break;
    if (role !== 'assistant') continue;
    if (content[0]?.type === 'thinking' || content[0]?.type === 'redacted_thinking') return false;
    calls ||= content.some(({ type }) => type === 'tool_use');
  }
  return calls;
}

function isText(block: ContentBlock): boolean {
  return block.type === 'text';
}
