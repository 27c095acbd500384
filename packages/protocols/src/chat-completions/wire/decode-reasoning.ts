import type { ReasoningBlock } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { isRecord } from '../../json/is-record.ts';
import { listOf, textOf, type JsonObject } from './json.ts';

/**
 * Reads what a client sent back of an answer's reasoning, where it carries the blocks themselves: `reasoning_details` as
 * OpenRouter has it, or `thinking_blocks` as LiteLLM does.
 */
export function decodeReasoningBlocks(message: JsonObject, tokenCodec: TokenCodec): ReasoningBlock[] {
  const details = listOf(message['reasoning_details']);
  const thinking = listOf(message['thinking_blocks']);
  return [
    ...details.flatMap((detail) => (isRecord(detail) ? fromDetail(detail, tokenCodec) : [])),
    ...(details.length > 0
      ? []
      : thinking.flatMap((block) => (isRecord(block) ? fromThinking(block, tokenCodec) : []))),
  ];
}

/** The reasoning as one text: `reasoning_content`, or `reasoning`. */
export function reasoningText(message: JsonObject): string | undefined {
  return textOf(message['reasoning_content']) ?? textOf(message['reasoning']);
}

function fromDetail(detail: JsonObject, tokenCodec: TokenCodec): ReasoningBlock[] {
  const type = detail['type'];
  const id = textOf(detail['id']);
  const known = id === undefined ? {} : { id };
  if (type === 'reasoning.encrypted') {
    const data = textOf(detail['data']);
    if (data === undefined) return [];
    return [{ type: 'reasoning', text: [], isSummary: false, redacted: true, ...known, ...tokenOf(data, tokenCodec) }];
  }
  const text = textOf(detail[type === 'reasoning.summary' ? 'summary' : 'text']);
  const signature = textOf(detail['signature']);
  if (text === undefined && signature === undefined) return [];
  return [
    {
      type: 'reasoning',
      text: text === undefined ? [] : [text],
      isSummary: type === 'reasoning.summary',
      ...known,
      ...tokenOf(signature, tokenCodec),
    },
  ];
}

function fromThinking(block: JsonObject, tokenCodec: TokenCodec): ReasoningBlock[] {
  if (block['type'] === 'redacted_thinking') {
    const data = textOf(block['data']);
    if (data === undefined) return [];
    return [{ type: 'reasoning', text: [], isSummary: false, redacted: true, ...tokenOf(data, tokenCodec) }];
  }
  const text = textOf(block['thinking']);
  const signature = textOf(block['signature']);
  if (text === undefined && signature === undefined) return [];
  return [
    { type: 'reasoning', text: text === undefined ? [] : [text], isSummary: false, ...tokenOf(signature, tokenCodec) },
  ];
}

function tokenOf(value: string | undefined, tokenCodec: TokenCodec): Pick<ReasoningBlock, 'seal'> {
  return value === undefined ? {} : { seal: readToken(tokenCodec, 'chat-completions', value) };
}
