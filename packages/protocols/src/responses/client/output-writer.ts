import type { BlockHead, ContentBlock, MediaBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { type WrappedToken, wrapToken } from './wrapped-token.ts';
import { createOutputRow, type EventSink } from './output-row.ts';
import { type CallWriter, createCallWriter } from './write-call.ts';
import { createMessageWriter } from './write-message.ts';
import { createReasoningWriter, type ReasoningWriter } from './write-reasoning.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Encodes blocks as output items and, in a stream, their events. Each block is `open`, deltas, and `close`; a complete
 * block needs no deltas.
 */
export interface OutputWriter {
  open(head: BlockHead): void;
  delta(text: string, paragraph: number): void;
  close(block: ContentBlock): void;
  /** @param isCut marks the last message as incomplete. @returns all items */
  end(isCut: boolean): readonly JsonObject[];
  /** The finished items. */
  items(): readonly JsonObject[];
}

/** @param responseId the seed of item ids */
export function createOutputWriter(context: ResponseContext, responseId: string, sink: EventSink): OutputWriter {
  const { request, tokenCodec } = context;
  const row = createOutputRow(responseId, sink);
  const message = createMessageWriter(row);
  let reasoning: ReasoningWriter | undefined;
  let call: CallWriter | undefined;

  function open(head: BlockHead): void {
    if (head.type === 'text' || head.type === 'refusal') return message.open(head.type);
    message.end('completed');
    if (head.type === 'reasoning') {
      reasoning = createReasoningWriter(row, head, tokenCodec, request.reasoning?.visible);
    } else if (head.type === 'tool-call') call = createCallWriter(row, head, request.tools);
  }

  /** The token of a text or a call travels in a reasoning item of its own, after the block. */
  function addOpaqueToken(carried: WrappedToken): void {
    message.end('completed');
    const begun = { id: row.nextId('reasoning'), type: 'reasoning', summary: [] };
    row.addComplete(begun, { ...begun, encrypted_content: wrapToken(tokenCodec, carried) });
  }

  function addMedia({ kind, source, transcript }: MediaBlock): void {
    if (kind === 'image' && source.from === 'base64') {
      const begun = { id: row.nextId('image_generation_call'), type: 'image_generation_call' };
      row.addComplete(
        { ...begun, status: 'in_progress', result: null },
        { ...begun, status: 'completed', result: source.data, output_format: source.mediaType.replace(/^image\//, '') },
        ['in_progress', 'generating', 'completed'].map((step) => `response.image_generation_call.${step}`),
      );
      return;
    }
    const text = transcript ?? (source.from === 'url' ? source.url : undefined);
    if (text === undefined) return;
    message.open('text');
    message.close({ type: 'text', text });
  }

  function close(block: ContentBlock): void {
    switch (block.type) {
      case 'text':
        message.close(block);
        if (block.seal) addOpaqueToken({ seal: block.seal, textPart: block.text === '' ? 'empty' : 'text' });
        break;
      case 'refusal':
        message.close(block);
        break;
      case 'reasoning':
        reasoning?.close(block);
        reasoning = undefined;
        break;
      case 'tool-call':
        call?.close(block);
        call = undefined;
        if (block.seal) addOpaqueToken({ seal: block.seal, callId: block.callId });
        break;
      case 'media':
        addMedia(block);
        break;
      case 'foreign':
        if (block.protocol === 'responses' && isRecord(block.raw)) row.addComplete(block.raw, block.raw);
        break;
      case 'tool-result':
        break;
    }
  }

  return {
    open,
    delta: (text, paragraph) => {
      if (reasoning) reasoning.delta(text, paragraph);
      else if (call) call.delta(text);
      else message.delta(text);
    },
    close,
    end: (isCut) => {
      message.end(isCut ? 'incomplete' : 'completed');
      return row.items;
    },
    items: () => row.items,
  };
}

/** The head of a complete block. */
export function headOf(block: ContentBlock): BlockHead | undefined {
  switch (block.type) {
    case 'reasoning': {
      const { type, isSummary, redacted } = block;
      return { type, isSummary, ...(redacted === true && { redacted }) };
    }
    case 'tool-call': {
      const { type, callId, name, kind } = block;
      return { type, callId, name, kind };
    }
    case 'text':
    case 'refusal':
    case 'media':
    case 'foreign':
      return { type: block.type };
    case 'tool-result':
      return undefined;
  }
}
