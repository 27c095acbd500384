import type { BlockHead, Citation, ContentBlock, StreamEvent } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { citeAll, decodeCitation } from '../wire/citations.ts';
import { decodeResponseBlock } from './decode-response-block.ts';
import { JSON_TOOL } from './json-response.ts';
import { type JsonObject, asString } from '../../json/values.ts';

/** A block that has not ended. */
export interface OpenBlock {
  /** Whether it is a call that the client must run. */
  isCall: boolean;
  /** Whether a late delta can continue it as a block of its own. */
  isText: boolean;
  begin: StreamEvent[];
  delta(delta: JsonObject): StreamEvent[];
  /** Returns the end, and before it any content that no delta contained. */
  close(): StreamEvent[];
}

/** Starts a block. Content in its start counts as the first delta. */
export function openBlock(block: JsonObject, context: UpstreamResponseContext): OpenBlock {
  switch (block['type']) {
    case 'text':
      return openText(asString(block['text']) ?? '');
    case 'thinking':
      return openThinking(block, context);
    case 'tool_use':
      return openCall(block, context);
    default:
      return openBuffered(block, context);
  }
}

/** The block of a delta that follows the end of its text. */
export function resumedBlock(delta: JsonObject, context: UpstreamResponseContext): OpenBlock | undefined {
  switch (delta['type']) {
    case 'text_delta':
    case 'citations_delta':
      return openText('');
    case 'thinking_delta':
    case 'signature_delta':
      return openThinking({}, context);
    default:
      return undefined;
  }
}

function begin(head: BlockHead, text: string): StreamEvent[] {
  const start: StreamEvent = { type: 'block-start', choice: 0, head };
  return text === '' ? [start] : [start, { type: 'delta', choice: 0, text }];
}

function textDelta(text: string): StreamEvent[] {
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
    isText: true,
    begin: begin({ type: 'text' }, first),
    delta: (delta) => {
      if (delta['type'] === 'citations_delta' && isRecord(delta['citation'])) {
        const citation = decodeCitation(delta['citation']);
        if (citation) citations.push(citation);
        return [];
      }
      const chunk = asString(delta['text']) ?? '';
      text += chunk;
      return textDelta(chunk);
    },
    close: () => [end({ type: 'text', text, citations: citations.length > 0 ? citeAll(citations, text) : undefined })],
  };
}

function openThinking(block: JsonObject, context: UpstreamResponseContext): OpenBlock {
  let thinking = asString(block['thinking']) ?? '';
  let signature = asString(block['signature']) ?? '';
  return {
    isCall: false,
    isText: true,
    begin: begin({ type: 'reasoning', isSummary: false }, thinking),
    delta: (delta) => {
      signature += asString(delta['signature']) ?? '';
      const chunk = asString(delta['thinking']) ?? '';
      thinking += chunk;
      return textDelta(chunk);
    },
    close: () => {
      const complete = decodeResponseBlock({ type: 'thinking', thinking, signature }, context);
      return [end(complete ?? { type: 'reasoning', text: [], isSummary: false })];
    },
  };
}

/** Arguments arrive in deltas or complete in the start (pi#2593). None at all means an empty object. */
function openCall(block: JsonObject, { newId }: UpstreamResponseContext): OpenBlock {
  const name = asString(block['name']) ?? '';
  const callId = asString(block['id']) ?? newId('toolu_');
  const isResponse = name === JSON_TOOL;
  let input = '';
  return {
    isCall: !isResponse,
    isText: false,
    begin: begin(isResponse ? { type: 'text' } : { type: 'tool-call', callId, name, kind: 'function' }, ''),
    delta: (delta) => {
      const chunk = asString(delta['partial_json']) ?? '';
      input += chunk;
      return textDelta(chunk);
    },
    close: () => {
      const json = input === '' ? JSON.stringify(block['input'] ?? {}) : input;
      const complete: ContentBlock = isResponse
        ? { type: 'text', text: json }
        : { type: 'tool-call', callId, name, kind: 'function', arguments: json };
      return [...textDelta(input === '' ? json : ''), end(complete)];
    },
  };
}

/** The vendor's own calls have JSON deltas and compactions have text deltas. All others are complete at the start. */
function openBuffered(block: JsonObject, context: UpstreamResponseContext): OpenBlock {
  let input = '';
  let content = '';
  const isRedacted = block['type'] === 'redacted_thinking';
  return {
    isCall: false,
    isText: false,
    begin: begin(isRedacted ? { type: 'reasoning', isSummary: false, redacted: true } : { type: 'foreign' }, ''),
    delta: (delta) => {
      input += asString(delta['partial_json']) ?? '';
      content += asString(delta['content']) ?? '';
      return [];
    },
    close: () => {
      const joined = {
        ...block,
        ...(input !== '' && { input: parseInput(input) }),
        ...(content !== '' && { content: (asString(block['content']) ?? '') + content }),
      };
      const complete = decodeResponseBlock(joined, context);
      return complete ? [end(complete)] : [];
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
