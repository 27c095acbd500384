import type { ContentBlock, LossReport, Message, TextTarget } from '@sluice/canonical';
import { arrangeTurns, usesTools } from '../../anthropic-style/arrange-turns.ts';
import { uniqueCallIds } from '../../anthropic-style/unique-call-ids.ts';
import { invalidField } from '../../json/json-field.ts';
import { canEncode, encodeBlock, type MarkedBlock } from './encode-block.ts';

interface EncodedTurn {
  role: 'user' | 'assistant';
  content: MarkedBlock[];
}

export interface EncodedTurns {
  system: MarkedBlock[];
  messages: EncodedTurn[];
  /** Names of the tools that the conversation calls. Converse requires a declaration for each. */
  calledTools: string[];
  /** Whether a tool loop is in progress in which no turn starts with the model's own reasoning. */
  unsignedLoop: boolean;
}

/**
 * Encodes leading instructions as system blocks, and the rest of the conversation as alternating turns.
 * @throws GatewayError `invalid_request` for an empty conversation, or `unsupported_parameter` for unsupported media
 */
export function encodeTurns(messages: readonly Message[], target: TextTarget, report: LossReport): EncodedTurns {
  const first = messages.findIndex(({ role }) => role === 'user' || role === 'assistant');
  const leading = messages.slice(0, first === -1 ? messages.length : first);
  const encodable = ({ role, content, name }: Message): Message => {
    if (name !== undefined) report({ field: 'name', how: 'dropped' });
    const kept = content.filter((block) => canEncode(block, target, report));
    return { role, content: role === 'system' || role === 'developer' ? textOf(kept, report) : kept };
  };
  const system = leading.flatMap((message) => encodable(message).content).map((block) => encodeBlock(block, report));
  const rest = messages.slice(leading.length).map(encodable);
  if (system.length === 0 && rest.every(({ content }) => content.length === 0)) {
    throw invalidField('messages', 'must have at least one message that is not empty');
  }
  const arranged = arrangeTurns(rest, false);
  const hasTools = usesTools(rest);
  const turns = (hasTools ? uniqueCallIds(arranged) : arranged).map(({ role, content }): EncodedTurn => ({
    role: role === 'assistant' ? role : 'user',
    content: withText(content.map((block) => encodeBlock(block, report))),
  }));
  trimPrefill(turns);
  return {
    system,
    messages: turns,
    calledTools: hasTools ? calledTools(turns) : [],
    unsignedLoop: hasTools && isUnsignedLoop(turns),
  };
}

function textOf(content: readonly ContentBlock[], report: LossReport): ContentBlock[] {
  for (const block of content) {
    if (block.type !== 'text') report({ field: block.type === 'media' ? block.kind : block.type, how: 'dropped' });
  }
  return content.filter(({ type }) => type === 'text');
}

/** Converse rejects a turn with a document but without a text (Bedrock API reference, `ContentBlock`). */
function withText(content: MarkedBlock[]): MarkedBlock[] {
  if (!content.some(({ block }) => 'document' in block) || content.some(({ block }) => 'text' in block)) return content;
  return [...content, { block: { text: '(document)' } }];
}

/** Claude rejects a prefill that ends with whitespace. */
function trimPrefill(turns: readonly EncodedTurn[]): void {
  const last = turns.at(-1);
  const block = last?.role === 'assistant' ? last.content.at(-1)?.block : undefined;
  if (typeof block?.['text'] === 'string') block['text'] = block['text'].trimEnd();
}

function calledTools(turns: readonly EncodedTurn[]): string[] {
  const names = turns.flatMap(({ content }) => content.flatMap(({ block }) => calledName(block) ?? []));
  return [...new Set(names)];
}

function calledName({ toolUse }: MarkedBlock['block']): string | undefined {
  // `encodeBlock` sets the name.
  return (toolUse as { name: string } | undefined)?.name;
}

function isUnsignedLoop(turns: readonly EncodedTurn[]): boolean {
  let hasCalls = false;
  for (const { role, content } of turns.toReversed()) {
    if (role === 'user' && !content.some(({ block }) => 'toolResult' in block)) break;
    if (role !== 'assistant') continue;
    if (content[0] && 'reasoningContent' in content[0].block) return false;
    hasCalls ||= content.some(({ block }) => 'toolUse' in block);
  }
  return hasCalls;
}
