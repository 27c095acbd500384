import type { BlockHead, Citation, ContentBlock, StreamEvent } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { asString, type JsonObject, objectOrEmpty } from '../../json/values.ts';
import { citeAll, decodeCitation } from '../wire/citations.ts';
import { reasoningBlock } from './decode-response-block.ts';
import { reportBlock, reportReasoningDelta, reportTextDelta } from './report-unread.ts';

/** A block that has not ended. */
export interface OpenBlock {
  isCall: boolean;
  begin: StreamEvent[];
  /** @returns undefined if the delta belongs to another kind of block */
  delta(delta: JsonObject): StreamEvent[] | undefined;
  close(): StreamEvent[];
}

/** Opens the block of a `contentBlockStart`. Only calls, images, and blocks of unknown kinds have this event. */
export function openStarted(start: JsonObject, context: UpstreamResponseContext): OpenBlock {
  reportBlock(start, context.report);
  if (isRecord(start['toolUse'])) return openCall(start['toolUse'], context);
  if (isRecord(start['image'])) return openImage(start['image'], context);
  return openForeign(start);
}

/** Opens the block of a delta that no start event precedes. @returns undefined if the delta cannot begin a block */
export function openByDelta(delta: JsonObject, context: UpstreamResponseContext): OpenBlock | undefined {
  if ('text' in delta || 'citation' in delta) return openText(context);
  if (!isRecord(delta['reasoningContent'])) return 'toolUse' in delta ? undefined : openForeign(delta);
  return 'redactedContent' in delta['reasoningContent'] ? openRedacted(context) : openReasoning(context);
}

function begin(head: BlockHead): StreamEvent[] {
  return [{ type: 'block-start', choice: 0, head }];
}

function textDelta(text: string): StreamEvent[] {
  return text === '' ? [] : [{ type: 'delta', choice: 0, text }];
}

function end(block: ContentBlock): StreamEvent[] {
  return [{ type: 'block-end', choice: 0, block }];
}

function openText({ report }: UpstreamResponseContext): OpenBlock {
  let text = '';
  const citations: Citation[] = [];
  return {
    isCall: false,
    begin: begin({ type: 'text' }),
    delta: (delta) => {
      reportTextDelta(delta, report);
      if (isRecord(delta['citation'])) {
        const citation = decodeCitation(delta['citation']);
        if (citation) citations.push(citation);
        return [];
      }
      const chunk = asString(delta['text']);
      if (chunk === undefined) return undefined;
      text += chunk;
      return textDelta(chunk);
    },
    close: () => end({ type: 'text', text, citations: citeAll(citations, text) }),
  };
}

function openReasoning({ target, report }: UpstreamResponseContext): OpenBlock {
  let text = '';
  let signature = '';
  return {
    isCall: false,
    begin: begin({ type: 'reasoning', isSummary: false }),
    delta: (delta) => {
      const { reasoningContent: content } = delta;
      if (!isRecord(content) || 'redactedContent' in content) return undefined;
      reportReasoningDelta(delta, report);
      const chunk = asString(content['text']) ?? '';
      signature += asString(content['signature']) ?? '';
      text += chunk;
      return textDelta(chunk);
    },
    close: () => end(reasoningBlock({ text, signature, redacted: undefined }, target) ?? EMPTY_REASONING),
  };
}

const EMPTY_REASONING: ContentBlock = { type: 'reasoning', text: [], isSummary: false };

/** Each delta is base64 of a part of the content, so the parts are joined as bytes. */
function openRedacted({ target, report }: UpstreamResponseContext): OpenBlock {
  const parts: Buffer[] = [];
  return {
    isCall: false,
    begin: begin({ type: 'reasoning', isSummary: false, redacted: true }),
    delta: (delta) => {
      const { reasoningContent: content } = delta;
      if (!isRecord(content) || !('redactedContent' in content)) return undefined;
      reportReasoningDelta(delta, report);
      parts.push(Buffer.from(asString(content['redactedContent']) ?? '', 'base64'));
      return [];
    },
    close: () => {
      const redacted = Buffer.concat(parts).toString('base64');
      return end(reasoningBlock({ text: '', signature: '', redacted }, target) ?? EMPTY_REASONING);
    },
  };
}

/** Missing arguments become an empty object. */
function openCall(start: JsonObject, { newId }: UpstreamResponseContext): OpenBlock {
  const name = asString(start['name']) ?? '';
  const callId = asString(start['toolUseId']) ?? newId('tooluse_');
  let input = '';
  return {
    isCall: true,
    begin: begin({ type: 'tool-call', callId, name, kind: 'function' }),
    delta: ({ toolUse }) => {
      if (!isRecord(toolUse)) return undefined;
      const chunk = asString(toolUse['input']) ?? '';
      input += chunk;
      return textDelta(chunk);
    },
    close: () => {
      const complete = input === '' ? '{}' : input;
      const block: ContentBlock = { type: 'tool-call', callId, name, kind: 'function', arguments: complete };
      return [...textDelta(input === '' ? complete : ''), ...end(block)];
    },
  };
}

/** The deltas of an image are base64 of its parts. */
function openImage({ format }: JsonObject, { report }: UpstreamResponseContext): OpenBlock {
  const parts: Buffer[] = [];
  return {
    isCall: false,
    begin: begin({ type: 'media' }),
    delta: ({ image }) => {
      if (!isRecord(image)) return undefined;
      reportBlock({ image }, report);
      parts.push(Buffer.from(asString(objectOrEmpty(image['source'])['bytes']) ?? '', 'base64'));
      return [];
    },
    close: () => {
      const data = Buffer.concat(parts).toString('base64');
      const mediaType = `image/${asString(format) ?? 'png'}`;
      return end({ type: 'media', kind: 'image', source: { from: 'base64', mediaType, data } });
    },
  };
}

/** A block that only Converse has. Its deltas are not read. */
function openForeign(start: JsonObject): OpenBlock {
  const [kind = 'unknown'] = Object.keys(start);
  return {
    isCall: false,
    begin: begin({ type: 'foreign' }),
    delta: (delta) => (kind in delta ? [] : undefined),
    close: () => end({ type: 'foreign', protocol: 'converse', kind, raw: start }),
  };
}
