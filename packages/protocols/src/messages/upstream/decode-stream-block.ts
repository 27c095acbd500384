import type { BlockHead, Citation, ContentBlock, StreamEvent } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { citeAll, decodeCitation, decodeCitations } from '../wire/citations.ts';
import { decodeResponseBlock } from './decode-response-block.ts';
import { JSON_TOOL } from './json-response.ts';
import { reportCitation } from './report-unread.ts';
import { type JsonObject, asString } from '../../json/values.ts';

/** A block that has not ended. */
export interface OpenBlock {
  /** Whether the block is a call that the client must run. */
  isCall: boolean;
  /** Whether a late delta can continue this block as a separate block. */
  isText: boolean;
  begin: StreamEvent[];
  delta(delta: JsonObject): StreamEvent[];
  /** Returns the end event, preceded by any content that no delta contained. */
  close(): StreamEvent[];
}

/** Starts a block. Content in the start event is treated as the first delta. */
export function openBlock(block: JsonObject, context: UpstreamResponseContext): OpenBlock {
  switch (block['type']) {
    case 'text':
      return openText(block, context);
    case 'thinking':
      return openThinking(block, context);
    case 'tool_use':
      return openCall(block, context);
    default:
      return openBuffered(block, context);
  }
}

/** Creates a new block for a delta that arrives after its text block ended. */
export function resumedBlock(delta: JsonObject, context: UpstreamResponseContext): OpenBlock | undefined {
  switch (delta['type']) {
    case 'text_delta':
    case 'citations_delta':
      return openText({}, context);
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

function openText(block: JsonObject, { report }: UpstreamResponseContext): OpenBlock {
  const first = asString(block['text']) ?? '';
  let text = first;
  const citations: Citation[] = decodeCitations(block['citations']);
  return {
    isCall: false,
    isText: true,
    begin: begin({ type: 'text' }, first),
    delta: (delta) => {
      if (delta['type'] === 'citations_delta' && isRecord(delta['citation'])) {
        const citation = decodeCitation(delta['citation']);
        reportCitation(delta['citation'], report);
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

/**
 * Arguments arrive either in deltas or complete in the start event (pi#2593). Missing arguments become an empty object.
 */
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

/**
 * Calls of the vendor's own tools have JSON deltas, and compactions have text deltas. All other blocks are complete in
 * their start event.
 */
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
