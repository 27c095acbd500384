import type { ContentBlock, RefusalBlock, TextBlock, ToolCallBlock } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { type BlockBuffer, completeBlockEvents } from './block-queue.ts';
import { decodeCallItem, decodeOutputPart, decodeReasoningItem } from './decode-output.ts';
import { missingText } from '../wire/missing-text.ts';
import type { JsonObject } from '../../json/values.ts';

const choice = 0;

export type PartType = 'text' | 'refusal';

/** Decodes a streamed part of a message. */
export interface PartReader {
  delta(text: string): void;
  annotation(annotation: unknown): void;
  /** Adds the text that the deltas lack. @param text the complete text */
  complete(text: string): void;
  /** @param part in its final state, if the upstream sends it */
  end(part: JsonObject | undefined): void;
}

/** The block starts with the first text, so that an empty part leaves no block. */
export function createPartReader(type: PartType, addBlock: () => BlockBuffer): PartReader {
  let buffer: BlockBuffer | undefined;
  let text = '';
  let isEnded = false;
  const annotations: unknown[] = [];

  function delta(chunk: string): void {
    if (chunk === '' || isEnded) return;
    if (!buffer) {
      buffer = addBlock();
      buffer.push({ type: 'block-start', choice, head: { type } });
    }
    text += chunk;
    buffer.push({ type: 'delta', choice, text: chunk });
  }

  return {
    delta,
    annotation: (annotation) => annotations.push(annotation),
    complete: (fullText) => delta(missingText(text, fullText)),
    end: (part) => {
      if (isEnded) return;
      const final = decodeOutputPart(part);
      if (final?.type === type) delta(missingText(text, final.text));
      isEnded = true;
      if (!buffer) return;
      buffer.push({ type: 'block-end', choice, block: partBlock(type, text, final, annotations) });
      buffer.close();
    },
  };
}

function partBlock(
  type: PartType,
  text: string,
  final: TextBlock | RefusalBlock | undefined,
  annotations: readonly unknown[],
): ContentBlock {
  if (type === 'refusal') return { type, text };
  if (final?.type === 'text' && final.citations) return { ...final, text };
  return decodeOutputPart({ type: 'output_text', text, annotations }) ?? { type, text };
}

/** Decodes a streamed reasoning item. */
export interface ReasoningReader {
  delta(text: string, paragraph: number, isSummary: boolean): void;
  complete(text: string, paragraph: number, isSummary: boolean): void;
  /** @param item in its final state, if the upstream sends it; only this has the token */
  end(item: JsonObject | undefined): void;
}

/** The block starts with the first text, or at the end if there is only a token. */
export function createReasoningReader(
  buffer: BlockBuffer,
  id: string | undefined,
  context: UpstreamResponseContext,
): ReasoningReader {
  const text: string[] = [];
  /** Our paragraph indexes by the upstream's, which may have gaps. */
  const ordinals = new Map<number, number>();
  /** The block holds either a summary or raw reasoning, whichever comes first. */
  let isShownSummary: boolean | undefined;

  function open(isSummary: boolean): void {
    isShownSummary = isSummary;
    buffer.push({
      type: 'block-start',
      choice,
      head: { type: 'reasoning', isSummary, ...(id !== undefined && { id }) },
    });
  }

  function delta(chunk: string, paragraph: number, isSummary: boolean): void {
    if (chunk === '') return;
    if (isShownSummary === undefined) open(isSummary);
    if (isShownSummary !== isSummary) return;
    const ordinal = ordinals.get(paragraph) ?? text.push('') - 1;
    ordinals.set(paragraph, ordinal);
    text[ordinal] += chunk;
    buffer.push({ type: 'delta', choice, text: chunk, paragraph: ordinal });
  }

  function complete(fullText: string, paragraph: number, isSummary: boolean): void {
    delta(missingText(text[ordinals.get(paragraph) ?? -1] ?? '', fullText), paragraph, isSummary);
  }

  return {
    delta,
    complete,
    end: (item) => {
      const final = decodeReasoningItem(item ?? {}, context.target);
      for (const [paragraph, fullText] of final.text.entries()) complete(fullText, paragraph, final.isSummary);
      if (isShownSummary === undefined && final.opaqueToken) open(true);
      if (isShownSummary !== undefined) {
        const { opaqueToken } = final;
        const block = { type: 'reasoning' as const, text, isSummary: isShownSummary };
        buffer.push({
          type: 'block-end',
          choice,
          block: {
            ...block,
            ...((final.id ?? id) !== undefined && { id: final.id ?? id ?? '' }),
            ...(opaqueToken && { opaqueToken }),
          },
        });
      }
      buffer.close();
    },
  };
}

/** Decodes a streamed call. */
export interface CallReader {
  delta(text: string): void;
  complete(text: string): void;
  /** @param item in its final state, if the upstream sends it */
  end(item: JsonObject | undefined): void;
}

/**
 * Arguments come as deltas, complete at their end, or only with the finished item.
 * @param added the announced item; without a name, the call waits for the finished item
 */
export function createCallReader(buffer: BlockBuffer, added: JsonObject): CallReader {
  const head: ToolCallBlock | undefined = decodeCallItem(added);
  let text = '';
  if (head) {
    const { callId, name, kind } = head;
    buffer.push({ type: 'block-start', choice, head: { type: 'tool-call', callId, name, kind } });
  }

  function delta(chunk: string): void {
    if (chunk === '') return;
    text += chunk;
    if (head) buffer.push({ type: 'delta', choice, text: chunk });
  }

  const complete = (fullText: string): void => delta(missingText(text, fullText));

  return {
    delta,
    complete,
    end: (item) => {
      const final = item && decodeCallItem(item);
      complete(final?.arguments ?? '');
      if (head) buffer.push({ type: 'block-end', choice, block: { ...head, arguments: text } });
      else if (final) buffer.pushAll(completeBlockEvents({ ...final, arguments: text }));
      buffer.close();
    },
  };
}
