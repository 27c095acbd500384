import type { ContentBlock, RefusalBlock, TextBlock } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { type BlockBuffer, completeBlockEvents } from '../../text/block-queue.ts';
import { decodeCallItem, decodeOutputPart, decodeReasoningItem } from './decode-output.ts';
import { missingText } from '../wire/missing-text.ts';
import type { JsonObject } from '../../json/values.ts';

const choice = 0;

export type PartType = 'text' | 'refusal';

/** Decodes a streamed part or item. Only reasoning uses paragraphs and summaries. */
export interface TextReader {
  delta(text: string, paragraph: number, isSummary: boolean): void;
  /** Adds any text that the deltas did not contain. @param text the complete text */
  complete(text: string, paragraph: number, isSummary: boolean): void;
  /**
   * @param final the part or item in its final state, if the upstream sends it; only this state contains the reasoning
   * token
   */
  end(final: JsonObject | undefined): void;
}

export interface PartReader extends TextReader {
  annotation(annotation: unknown): void;
}

/** The block starts with its first text, so an empty part produces no block. */
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

/** The block starts with its first text, or at the end if it contains only a token. */
export function createReasoningReader(
  buffer: BlockBuffer,
  id: string | undefined,
  { target }: UpstreamResponseContext,
): TextReader {
  const text: string[] = [];
  /** Maps the upstream's paragraph indexes, which can have gaps, to consecutive indexes. */
  const ordinals = new Map<number, number>();
  /** Whether the block holds a summary instead of raw reasoning, depending on which arrives first. */
  let holdsSummary: boolean | undefined;

  function open(isSummary: boolean): void {
    holdsSummary = isSummary;
    buffer.push({ type: 'block-start', choice, head: { type: 'reasoning', isSummary, id } });
  }

  function delta(chunk: string, paragraph: number, isSummary: boolean): void {
    if (chunk === '') return;
    if (holdsSummary === undefined) open(isSummary);
    if (holdsSummary !== isSummary) return;
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
      const { text: fullText, isSummary, id: finalId, opaqueToken } = decodeReasoningItem(item ?? {}, target);
      for (const [index, paragraph] of fullText.entries()) complete(paragraph, index, isSummary);
      if (holdsSummary === undefined && opaqueToken) open(true);
      if (holdsSummary !== undefined) {
        const block = { type: 'reasoning', text, isSummary: holdsSummary, id: finalId ?? id, opaqueToken } as const;
        buffer.push({ type: 'block-end', choice, block });
      }
      buffer.close();
    },
  };
}

/**
 * Reads a call. Arguments arrive as deltas, complete at the end of the deltas, or only with the finished item.
 * @param added the item of the added event; if it has no name, the call starts when the finished item arrives
 */
export function createCallReader(buffer: BlockBuffer, added: JsonObject): TextReader {
  const head = decodeCallItem(added);
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
      else if (final) buffer.push(...completeBlockEvents({ ...final, arguments: text }));
      buffer.close();
    },
  };
}
