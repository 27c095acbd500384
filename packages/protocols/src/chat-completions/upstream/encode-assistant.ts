import type { LossReport, MediaBlock, Message, TextTarget, ToolCallBlock } from '@sluice/canonical';
import { reportCitations } from '../../losses/report-citations.ts';
import { safeCallId } from '../../text/call-id.ts';
import { canReadToken } from '../../text/token-codec.ts';
import { functionArguments } from '../../text/tool-arguments.ts';
import { isRecord } from '../../json/is-record.ts';
import type { ModelTraits } from './model-traits.ts';
import { encodeExtraContent } from '../wire/extra-content.ts';
import { PARAGRAPH_BREAK } from '../wire/reasoning-pack.ts';

export type WireMessage = Record<string, unknown>;

export interface EncodedAssistant {
  /** Omitted if the turn has no content that can be encoded. An empty text is valid content. */
  message?: WireMessage;
  /** The ids of the message's calls, in order. */
  callIds: string[];
  /** Media that must be sent in a user message, because assistant messages cannot contain it. */
  media: MediaBlock[];
}

/** Encodes consecutive assistant messages as one. Reasoning is dropped unless the model accepts `reasoning_content`. */
export function encodeAssistant(
  turns: readonly Message[],
  { target, traits, report }: { target: TextTarget; traits: ModelTraits; report: LossReport },
): EncodedAssistant {
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
        reportCitations(block, report);
        if (canReadToken(block.opaqueToken, target))
          message['extra_content'] = encodeExtraContent(block.opaqueToken.value);
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
  const isTextOnly = refusals.length + calls.size + thoughts.length === 0 && Object.keys(message).length === 1;
  if (isTextOnly && texts.length === 0) return { callIds, media };
  return {
    message: {
      ...message,
      content: contentOf(text, message['content'], calls.size > 0 || refusals.length > 0),
      name: turns.length === 1 ? turns[0]?.name : undefined,
      refusal: refusals.length > 0 ? refusals.join('') : undefined,
      reasoning_content: thoughts.length > 0 ? thoughts.join(PARAGRAPH_BREAK) : undefined,
      tool_calls: calls.size > 0 ? [...calls.values()] : undefined,
    },
    callIds,
    media,
  };
}

function contentOf(text: string, foreign: unknown, mayBeNull: boolean): unknown {
  // The cast is safe because this function built the array.
  if (Array.isArray(foreign)) return text === '' ? foreign : [{ type: 'text', text }, ...(foreign as unknown[])];
  return text === '' && mayBeNull ? null : text;
}

function appendForeign(message: WireMessage, raw: unknown): void {
  const content = message['content'];
  // The cast is safe because this function built the array.
  message['content'] = Array.isArray(content) ? [...(content as unknown[]), raw] : [raw];
}

/** Encodes a call. A call to a custom tool becomes a function call with one string parameter. */
function encodeCall(block: ToolCallBlock, target: TextTarget): WireMessage {
  return {
    id: safeCallId(block.callId),
    type: 'function',
    function: { name: block.name, arguments: functionArguments(block) },
    extra_content: canReadToken(block.opaqueToken, target) ? encodeExtraContent(block.opaqueToken.value) : undefined,
  };
}

function writeMedia(
  block: MediaBlock,
  message: WireMessage,
  texts: string[],
  media: MediaBlock[],
  report: LossReport,
): void {
  const { kind, source, transcript } = block;
  if (kind !== 'audio') {
    media.push(block);
    report({ field: kind, how: 'replaced' });
  } else if (source.from === 'file' && source.protocol === 'chat-completions') {
    message['audio'] = { id: source.id };
  } else {
    if (transcript !== undefined) texts.push(transcript);
    report({ field: 'audio', how: transcript === undefined ? 'dropped' : 'replaced' });
  }
}
