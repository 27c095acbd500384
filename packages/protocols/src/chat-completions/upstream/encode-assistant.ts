import type { LossReport, MediaBlock, Message, TextTarget, ToolCallBlock } from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import { tokenFits } from '../../text/token-codec.ts';
import { functionArguments } from '../../text/tool-arguments.ts';
import { isRecord } from '../../json/is-record.ts';
import type { ModelTraits } from './model-traits.ts';
import { PARAGRAPH_BREAK } from '../wire/reasoning-carrier.ts';

/** A message as it goes to an upstream. */
export type WireMessage = Record<string, unknown>;

/** An assistant's turn as this protocol has it. */
export interface WrittenTurn {
  /** Absent when nothing of it can be written. */
  message?: WireMessage;
  /** Of its calls, in their order, as the canonical model has them. */
  callIds: string[];
  /** What stands in the answer but may only be sent in a user's message. */
  media: MediaBlock[];
}

/**
 * Writes turns of the assistant that follow each other as one message. Reasoning goes back as `reasoning_content` where
 * the model wants it, and is a loss elsewhere.
 */
export function encodeAssistant(
  turns: readonly Message[],
  { target, traits, report }: { target: TextTarget; traits: ModelTraits; report: LossReport },
): WrittenTurn {
  const blocks = turns.flatMap(({ content }) => content);
  const texts: string[] = [];
  const refusals: string[] = [];
  const thoughts: string[] = [];
  const calls = new Map<string, WireMessage>();
  const media: MediaBlock[] = [];
  const message: WireMessage = { role: 'assistant' };
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        if (block.cache) report({ field: 'cache_control', how: 'dropped' });
        if (tokenFits(block.seal, target)) message['extra_content'] = signed(block.seal.value);
        break;
      case 'refusal':
        (traits.isOpenAi ? refusals : texts).push(block.text);
        break;
      case 'reasoning':
        if (traits.reasoningContent && block.text.length > 0) thoughts.push(...block.text);
        else report({ field: 'reasoning', how: 'dropped' });
        break;
      case 'tool-call':
        if (block.cache) report({ field: 'cache_control', how: 'dropped' });
        calls.set(block.callId, encodeCall(block, target));
        break;
      case 'media':
        writeMedia(block, message, texts, media, report);
        break;
      case 'foreign':
        // Parts of an answer that only their own vendor reads back.
        if (block.protocol === 'chat-completions' && isRecord(block.raw)) appendForeign(message, block.raw);
        else report({ field: block.kind, how: 'dropped' });
        break;
      case 'tool-result':
        report({ field: 'tool-result', how: 'dropped' });
        break;
    }
  }
  const callIds = [...calls.keys()];
  const text = texts.join('');
  const isSilent = refusals.length + calls.size + thoughts.length === 0 && Object.keys(message).length === 1;
  // An answer of which nothing is left is left out; one whose text was empty keeps its place.
  if (isSilent && texts.length === 0) return { callIds, media };
  const foreign = message['content'];
  const name = turns.length === 1 ? turns[0]?.name : undefined;
  return {
    message: {
      ...message,
      content: contentOf(text, foreign, calls.size > 0 || refusals.length > 0),
      ...(name !== undefined && { name }),
      ...(refusals.length > 0 && { refusal: refusals.join('\n') }),
      ...(thoughts.length > 0 && { reasoning_content: thoughts.join(PARAGRAPH_BREAK) }),
      ...(calls.size > 0 && { tool_calls: [...calls.values()] }),
    },
    callIds,
    media,
  };
}

function contentOf(text: string, foreign: unknown, mayBeNull: boolean): unknown {
  if (Array.isArray(foreign)) return text === '' ? foreign : [{ type: 'text', text }, ...(foreign as unknown[])]; // made here
  return text === '' && mayBeNull ? null : text;
}

function appendForeign(message: WireMessage, raw: unknown): void {
  const content = message['content'];
  message['content'] = Array.isArray(content) ? [...(content as unknown[]), raw] : [raw]; // made here
}

/** Custom tools go as functions with one text. */
function encodeCall(block: ToolCallBlock, target: TextTarget): WireMessage {
  return {
    id: safeCallId(block.callId),
    type: 'function',
    function: { name: block.name, arguments: functionArguments(block) },
    ...(tokenFits(block.seal, target) && { extra_content: signed(block.seal.value) }),
  };
}

/** Where Gemini's compatible interface has its thought signatures. */
function signed(value: string): WireMessage {
  return { google: { thought_signature: value } };
}

function writeMedia(
  block: MediaBlock,
  message: WireMessage,
  texts: string[],
  media: MediaBlock[],
  report: LossReport,
): void {
  if (block.kind === 'audio') {
    if (block.source.from === 'file' && block.source.protocol === 'chat-completions') {
      message['audio'] = { id: block.source.id };
    } else {
      if (block.transcript !== undefined) texts.push(block.transcript);
      report({ field: 'audio', how: block.transcript === undefined ? 'dropped' : 'replaced' });
    }
    return;
  }
  // Pictures of an answer may only be sent by the user.
  media.push(block);
  report({ field: block.kind, how: 'replaced' });
}
