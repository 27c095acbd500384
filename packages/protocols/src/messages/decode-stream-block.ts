import type { BlockHead, Citation, ContentBlock, StreamEvent } from '@sluice/canonical';
import type { UpstreamAnswerContext } from '../text-protocol.ts';
import { isRecord } from '../is-record.ts';
import { citeWhole, decodeCitation } from './citations.ts';
import { decodeAnswerBlock } from './decode-answer-block.ts';
import { JSON_TOOL } from './json-answer.ts';
import { type JsonObject, textOf } from './record.ts';

/** A block under way. */
export interface OpenBlock {
  /** Whether the client has to run it. */
  isCall: boolean;
  begin: StreamEvent[];
  delta(delta: JsonObject): StreamEvent[];
  /** Gives the end, after what the deltas left unsaid. */
  close(): StreamEvent[];
}

/** Begins a block; what it already holds counts as its first delta. */
export function openBlock(block: JsonObject, context: UpstreamAnswerContext): OpenBlock {
  switch (block['type']) {
    case 'text':
      return openText(textOf(block['text']) ?? '');
    case 'thinking':
      return openThinking(block, context);
    case 'tool_use':
      return openCall(block, context);
    default:
      return openWhole(block, context);
  }
}

function begin(head: BlockHead, text: string): StreamEvent[] {
  const start: StreamEvent = { type: 'block-start', choice: 0, head };
  return text === '' ? [start] : [start, { type: 'delta', choice: 0, text }];
}

function grow(text: string): StreamEvent[] {
  return text === '' ? [] : [{ type: 'delta', choice: 0, text }];
}

function end(block: ContentBlock): StreamEvent {
  return { type: 'block-end', choice: 0, block };
}

function openText(first: string): OpenBlock {
  let text = first;
  const citations: Citation[] = [];
  return {
    isCall: false,
    begin: begin({ type: 'text' }, first),
    delta: (delta) => {
      if (delta['type'] === 'citations_delta' && isRecord(delta['citation'])) {
        const citation = decodeCitation(delta['citation']);
        if (citation) citations.push(citation);
        return [];
      }
      const piece = textOf(delta['text']) ?? '';
      text += piece;
      return grow(piece);
    },
    close: () => [end({ type: 'text', text, ...(citations.length > 0 && { citations: citeWhole(citations, text) }) })],
  };
}

function openThinking(block: JsonObject, context: UpstreamAnswerContext): OpenBlock {
  let thinking = textOf(block['thinking']) ?? '';
  let signature = textOf(block['signature']) ?? '';
  return {
    isCall: false,
    begin: begin({ type: 'reasoning', isSummary: false }, thinking),
    delta: (delta) => {
      signature += textOf(delta['signature']) ?? '';
      const piece = textOf(delta['thinking']) ?? '';
      thinking += piece;
      return grow(piece);
    },
    close: () => {
      const whole = decodeAnswerBlock({ type: 'thinking', thinking, signature }, context);
      return [end(whole ?? { type: 'reasoning', text: [], isSummary: false })];
    },
  };
}

/** Arguments come in pieces, or whole with the start (pi#2593), or not at all, which is an empty object. */
function openCall(block: JsonObject, { newId }: UpstreamAnswerContext): OpenBlock {
  const name = textOf(block['name']) ?? '';
  const callId = textOf(block['id']) ?? newId('toolu_');
  const isAnswer = name === JSON_TOOL;
  let input = '';
  return {
    isCall: !isAnswer,
    begin: begin(isAnswer ? { type: 'text' } : { type: 'tool-call', callId, name, kind: 'function' }, ''),
    delta: (delta) => {
      const piece = textOf(delta['partial_json']) ?? '';
      input += piece;
      return grow(piece);
    },
    close: () => {
      const whole = input === '' ? JSON.stringify(block['input'] ?? {}) : input;
      const ended: ContentBlock = isAnswer
        ? { type: 'text', text: whole }
        : { type: 'tool-call', callId, name, kind: 'function', arguments: whole };
      return [...grow(input === '' ? whole : ''), end(ended)];
    },
  };
}

/**
 * Redacted thoughts and results of tools that ran at the vendor come whole. The vendor's own calls grow by pieces of JSON,
 * compactions by pieces of text.
 */
function openWhole(block: JsonObject, context: UpstreamAnswerContext): OpenBlock {
  let input = '';
  let content = '';
  const isRedacted = block['type'] === 'redacted_thinking';
  return {
    isCall: false,
    begin: begin(isRedacted ? { type: 'reasoning', isSummary: false, redacted: true } : { type: 'foreign' }, ''),
    delta: (delta) => {
      input += textOf(delta['partial_json']) ?? '';
      content += textOf(delta['content']) ?? '';
      return [];
    },
    close: () => {
      const grown = {
        ...block,
        ...(input !== '' && { input: parseInput(input) }),
        ...(content !== '' && { content: (textOf(block['content']) ?? '') + content }),
      };
      const whole = decodeAnswerBlock(grown, context);
      return whole ? [end(whole)] : [];
    },
  };
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
