import type { ReasoningBlock } from '@sluice/canonical';
import { readSeal, type Sealer } from '../sealer.ts';
import { isRecord } from '../is-record.ts';
import { listOf, textOf, type JsonObject } from './json.ts';

/**
 * Reads what a client sent back of an answer's reasoning, where it carries the blocks themselves: `reasoning_details` as
 * OpenRouter has it, or `thinking_blocks` as LiteLLM does.
 */
export function decodeReasoningBlocks(message: JsonObject, sealer: Sealer): ReasoningBlock[] {
  const details = listOf(message['reasoning_details']);
  const thinking = listOf(message['thinking_blocks']);
  return [
    ...details.flatMap((detail) => (isRecord(detail) ? fromDetail(detail, sealer) : [])),
    ...(details.length > 0 ? [] : thinking.flatMap((block) => (isRecord(block) ? fromThinking(block, sealer) : []))),
  ];
}

/** The reasoning as one text: `reasoning_content`, or `reasoning`. */
export function reasoningText(message: JsonObject): string | undefined {
  return textOf(message['reasoning_content']) ?? textOf(message['reasoning']);
}

function fromDetail(detail: JsonObject, sealer: Sealer): ReasoningBlock[] {
  const type = detail['type'];
  const id = textOf(detail['id']);
  const known = id === undefined ? {} : { id };
  if (type === 'reasoning.encrypted') {
    const data = textOf(detail['data']);
    if (data === undefined) return [];
    return [{ type: 'reasoning', text: [], isSummary: false, redacted: true, ...known, ...sealOf(data, sealer) }];
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
      ...sealOf(signature, sealer),
    },
  ];
}

function fromThinking(block: JsonObject, sealer: Sealer): ReasoningBlock[] {
  if (block['type'] === 'redacted_thinking') {
    const data = textOf(block['data']);
    if (data === undefined) return [];
    return [{ type: 'reasoning', text: [], isSummary: false, redacted: true, ...sealOf(data, sealer) }];
  }
  const text = textOf(block['thinking']);
  const signature = textOf(block['signature']);
  if (text === undefined && signature === undefined) return [];
  return [
    { type: 'reasoning', text: text === undefined ? [] : [text], isSummary: false, ...sealOf(signature, sealer) },
  ];
}

function sealOf(value: string | undefined, sealer: Sealer): Pick<ReasoningBlock, 'seal'> {
  return value === undefined ? {} : { seal: readSeal(sealer, 'chat-completions', value) };
}
