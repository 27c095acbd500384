import {
  type ContentBlock,
  type GenerationRequest,
  type LossReport,
  type Message,
  type TextTarget,
} from '@sluice/canonical';
import { invalidField } from '../../json/json-field.ts';
import { encodeModelTurn } from './encode-model-turn.ts';
import { type EarlierCall, encodeUserTurn } from './encode-user-turn.ts';
import type { JsonObject } from '../../json/values.ts';

export interface Content {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** The API requires a user turn before the first model turn. */
const START = '(conversation start)';

interface Turn {
  role: 'user' | 'model';
  blocks: ContentBlock[];
  /** The encoded parts of a model turn. */
  parts?: JsonObject[];
}

/**
 * Encodes the conversation:
 *
 * - Leading instructions become `systemInstruction`. Later instructions become part of the user turn.
 * - Consecutive turns of one role are merged.
 * - Function responses follow directly after their calls.
 *
 * @throws GatewayError `invalid_request` for an empty conversation, or `unsupported_parameter` for media that Google
 * cannot reach
 */
export function encodeContents(
  { messages }: GenerationRequest,
  target: TextTarget,
  report: LossReport,
): { systemInstruction?: { parts: JsonObject[] }; contents: Content[] } {
  const first = messages.findIndex((message) => !isInstruction(message));
  const leading = first === -1 ? messages : messages.slice(0, first);
  for (const message of messages) if (isInstruction(message)) reportOthers(message, report);
  const instruction = leading.flatMap(({ content }) => texts(content)).map((text) => ({ text }));
  const turns = joinTurns(messages.slice(leading.length), target, report);

  const contents: Content[] = [];
  let calls: EarlierCall[] = [];
  for (const { role, blocks, parts } of turns) {
    const encoded = parts ?? encodeUserTurn(blocks, calls, target, report);
    if (encoded.length > 0) contents.push({ role, parts: encoded });
    calls = role === 'model' ? callsOf(blocks) : [];
  }
  if (contents.length === 0 && instruction.length === 0) {
    throw invalidField('messages', 'must have at least one message that is not empty');
  }
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [{ text: START }] });
  return { systemInstruction: instruction.length > 0 ? { parts: instruction } : undefined, contents };
}

/** Merges turns so that roles alternate. An empty model turn is dropped, and the turns around it are merged. */
function joinTurns(messages: readonly Message[], target: TextTarget, report: LossReport): Turn[] {
  const joined: Turn[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user';
    const blocks = isInstruction(message) ? asUserText(message) : message.content;
    const last = joined.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else joined.push({ role, blocks: [...blocks] });
  }
  const turns: Turn[] = [];
  for (const turn of joined) {
    if (turn.role === 'model') {
      const parts = encodeModelTurn(turn.blocks, target, report);
      if (parts.length > 0) turns.push({ ...turn, parts });
      continue;
    }
    const last = turns.at(-1);
    if (last?.role === 'user') last.blocks.push(...turn.blocks);
    else turns.push(turn);
  }
  return turns;
}

function callsOf(blocks: readonly ContentBlock[]): EarlierCall[] {
  return blocks.flatMap((block) => (block.type === 'tool-call' ? [{ callId: block.callId, name: block.name }] : []));
}

/** Instructions contain only text. */
function reportOthers({ content }: Message, report: LossReport): void {
  for (const block of content) {
    if (block.type === 'text') continue;
    report({ field: block.type === 'media' || block.type === 'foreign' ? block.kind : block.type, how: 'dropped' });
  }
}

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

/** Encodes instructions as user text, because the API has no role for instructions inside the conversation. */
function asUserText({ content }: Message): ContentBlock[] {
  const text = texts(content).join('');
  return text === '' ? [] : [{ type: 'text', text: `<system>\n${text}\n</system>` }];
}

function texts(content: readonly ContentBlock[]): string[] {
  return content.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []));
}
