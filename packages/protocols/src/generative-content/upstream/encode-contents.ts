import {
  type ContentBlock,
  GatewayError,
  type GenerationRequest,
  type LossReport,
  type Message,
  type TextTarget,
} from '@sluice/canonical';
import { encodeModelTurn } from './encode-model-turn.ts';
import { type EarlierCall, encodeUserTurn } from './encode-user-turn.ts';
import type { JsonObject } from '../../json/values.ts';

export interface Content {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** The API requires a user turn before the model's first. */
const START = '(conversation start)';

interface Turn {
  role: 'user' | 'model';
  blocks: ContentBlock[];
  /** The encoded parts of a model's turn. */
  parts?: JsonObject[];
}

/**
 * Encodes leading instructions as `systemInstruction`, later ones inside the user's turn, consecutive turns of one role as
 * one, and function responses directly after their calls.
 * @throws GatewayError `invalid_request` for an empty conversation; `unsupported_parameter` for unreachable media
 */
export function encodeContents(
  { messages }: GenerationRequest,
  target: TextTarget,
  report: LossReport,
): { systemInstruction?: { parts: JsonObject[] }; contents: Content[] } {
  const first = messages.findIndex((message) => !isInstruction(message));
  const leading = first === -1 ? messages : messages.slice(0, first);
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
    const message = 'The conversation is empty. Send at least one message.';
    throw new GatewayError('invalid_request', message, { param: 'messages' });
  }
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [{ text: START }] });
  return { systemInstruction: instruction.length > 0 ? { parts: instruction } : undefined, contents };
}

/** Alternates roles. An empty model turn is dropped, so the turns around it merge. */
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

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

/** The API has no role for instructions inside the conversation. */
function asUserText({ content }: Message): ContentBlock[] {
  const text = texts(content).join('');
  return text === '' ? [] : [{ type: 'text', text: `<system>\n${text}\n</system>` }];
}

function texts(content: readonly ContentBlock[]): string[] {
  return content.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []));
}
